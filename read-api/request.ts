import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../contracts/problems.ts';
import type { RequestTree } from '../contracts/resources/request.ts';
import type { Call } from '../infra/http/index.ts';
import { requestTree, type StoredTree } from '../projections/queries/request.ts';
import { presentTree } from '../projections/queries/request-tree.ts';
import type { Reader } from './engine/credentials.ts';
import { behind } from './engine/fresh-reads.ts';
import type { Read } from './engine/reading.ts';

/** How long the record of an answer is waited for, which is written behind it; ms. */
const patienceMs = 300;
const pollMs = 25;
/** The forms that ids of requests and of other roots have. */
const acceptable = /^[A-Za-z0-9_-]{8,128}$/;

/** What a request led to within the account. */
export const requestReads = (read: Read) => ({
  'requests.get': {
    run: async (call: Call<'requests.get', Reader, never>) => {
      const { accountId } = call.caller;
      const root = call.params.request_id;
      if (!acceptable.test(root)) throw refuse('not-found');
      const giveUpAt = performance.now() + patienceMs;
      for (;;) {
        const { rows, stale, freshness } = await read(call, requestTree, { root, accountId });
        const [tree] = rows;
        const isDue = performance.now() < giveUpAt && (tree === undefined || isYoung(tree));
        if (isDue && !tree?.answered) {
          await delay(pollMs);
          continue;
        }
        const body: RequestTree | undefined = tree && presentTree(tree, accountId);
        if (body === undefined) throw stale ? behind() : refuse('not-found');
        return { body, ...freshness };
      }
    },
  },
});

/** Whether its answer may still be under way to the record; so it may when nothing is known. */
const isYoung = ({ causes: [first] }: StoredTree): boolean =>
  first === undefined || Date.now() - Date.parse(first.at) < 60_000;
