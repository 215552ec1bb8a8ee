import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors, Keyset } from './engine/cursors.ts';
import type { Read } from './engine/reading.ts';
import { accountEventList, type ListedEvent } from '../projections/queries/account-event.ts';

/** Before every event of the log. */
const start: Keyset = ['-1', '-1'];

/**
 * The feed of an account's events, in the order of the log. A page goes as far as the read model does, which has every
 * event before the last one it has: whoever follows the cursor misses none.
 */
export function eventReads(read: Read, cursors: Cursors): Pick<Handlers<'read', Reader>, 'events.list'> {
  return {
    'events.list': {
      run: async (call) => {
        const route = 'events.list';
        const { accountId } = call.caller;
        const { limit = 50, after } = call.query;
        const place = cursors.decode(route, accountId, after) ?? start;
        const [commit = '', prepare = ''] = place;
        const parameters = { accountId, commit, prepare, limit: limit + 1 };
        const { rows, freshness } = await read(call, accountEventList, parameters);
        const shown = rows.slice(0, limit);
        const last = shown.at(-1);
        const body = {
          data: shown.map((row): unknown => JSON.parse(row.body)),
          has_more: rows.length > limit,
          next_cursor: cursors.encode(route, accountId, last === undefined ? place : placeOf(last)),
        };
        return { body, ...freshness };
      },
    },
  };
}

const placeOf = ({ commit_position, prepare_position }: ListedEvent): Keyset => [
  commit_position,
  prepare_position,
];
