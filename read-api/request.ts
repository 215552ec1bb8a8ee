import { isRequestId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Call } from '../infra/http/index.ts';
import { requestTree } from '../projections/queries/request.ts';
import { presentTree } from '../projections/queries/request-tree.ts';
import type { Reader } from './engine/credentials.ts';
import { notFound, type Read } from './engine/reading.ts';

/**
 * The effects of a request within the account, including the caller's own writes, as in every read. The request's answer is
 * recorded later, and not waited for.
 */
export const requestReads = (read: Read) => ({
  'requests.get': {
    run: async (call: Call<'requests.get', Reader, never>) => {
      const { accountId } = call.caller;
      const root = call.params.request_id;
      if (!isRequestId(root)) throw refuse('not-found');
      const { rows, stale, freshness } = await read(call, requestTree, { root, accountId });
      const body = rows[0] && presentTree(rows[0], accountId);
      if (body === undefined) throw notFound(stale);
      return { body, ...freshness };
    },
  },
});
