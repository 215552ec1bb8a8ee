import type { Call } from '../infra/http/index.ts';
import { parsePosition } from '../infra/event-store/client/position.ts';
import { accountEventList } from '../projections/queries/account-event.ts';
import { openRows, type Opening } from '../infra/personal/text.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors, Keyset } from './engine/cursors.ts';
import type { Read } from './engine/reading.ts';

const route = 'events.list';
/** Before every event of the log. */
const start: Keyset = ['-1', '-1'];

/**
 * The feed of an account's events, in the order of the log. A page extends as far as the read model, which has every event before
 * its last one, so that a reader who follows the cursor misses none.
 */
export const eventReads = (read: Read, cursors: Cursors, vault: Opening) => ({
  [route]: {
    run: async (call: Call<typeof route, Reader, never>) => {
      const { accountId } = call.caller;
      const { limit = 50, after } = call.query;
      const keyset = placeIn(after) ?? cursors.decode(route, accountId, after) ?? start;
      const [commit = '', prepare = ''] = keyset;
      const parameters = { accountId, commit, prepare, limit: limit + 1 };
      const { rows, freshness } = await read(call, accountEventList, parameters);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const end = last === undefined ? keyset : [last.commit_position, last.prepare_position];
      const body = {
        data: await openRows(
          vault,
          shown.map((row): unknown => JSON.parse(row.body)),
        ),
        has_more: rows.length > limit,
        next_cursor: cursors.encode(route, accountId, end),
      };
      return { body, ...freshness };
    },
  },
});

/** A log position that is not a page's cursor: for clients that start at the position of an answer. */
function placeIn(after: string | undefined): Keyset | undefined {
  const position = parsePosition(after ?? '');
  return position && [String(position.commit), String(position.prepare)];
}
