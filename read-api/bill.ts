import type { Bill } from '../contracts/resources/bill.ts';
import type { Call } from '../infra/http/index.ts';
import { billOfMonth } from '../projections/queries/bill.ts';
import type { Reader } from './engine/credentials.ts';
import type { Read } from './engine/reading.ts';

/** Why a bill is what it is. */
export const billReads = (read: Read) => ({
  'billing.explain': {
    run: async (call: Call<'billing.explain', Reader, never>) => {
      const { accountId } = call.caller;
      const { period } = call.query;
      const { rows, freshness } = await read(call, billOfMonth, { accountId, period });
      const lines = rows[0]?.lines ?? [];
      const total_cents = lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
      return { body: { period, total_cents, lines } satisfies Bill, ...freshness };
    },
  },
});
