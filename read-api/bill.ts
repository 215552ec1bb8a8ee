import type { Call } from '../infra/http/index.ts';
import { billOfMonth } from '../projections/queries/bill.ts';
import type { Reader } from './engine/credentials.ts';
import type { Read } from './engine/reading.ts';

const nothing = { total_cents: '0', totals: '[]', lines: '' };

/** Explains a bill by its events. */
export const billReads = (read: Read) => ({
  'billing.explain': {
    run: async (call: Call<'billing.explain', Reader, never>) => {
      const { accountId } = call.caller;
      const { period } = call.query;
      const { rows, freshness } = await read(call, billOfMonth, { accountId, period });
      const [{ total_cents, totals, lines } = nothing] = rows;
      const body = `{"period":"${period}","total_cents":${total_cents},"totals":${totals},"lines":[${lines}]}`;
      return { body, ...freshness, headers: { ...freshness.headers, 'Content-Type': 'application/json' } };
    },
  },
});
