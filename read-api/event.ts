import { sql } from 'kysely';
import type { AccountId } from '../contracts/ids.ts';
import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors, Keyset } from './engine/cursors.ts';
import type { Read } from './engine/reading.ts';
import { freshStatement } from './engine/statement.ts';
import type { AccountEventRow, Database } from '../projections/queries/tables.ts';

interface Parameters {
  readonly accountId: AccountId;
  readonly commit: string;
  readonly prepare: string;
  readonly limit: number;
}

type EventRow = Pick<AccountEventRow, 'id' | 'body' | 'commit_position' | 'prepare_position'>;

/** Before every event of the log. */
const start: Keyset = ['-1', '-1'];

/**
 * The feed of an account's events, in the order of the log. A page goes as far as the read model does, which has every
 * event before the last one it has: whoever follows the cursor misses none.
 */
export function eventReads(
  db: Database,
  read: Read,
  cursors: Cursors,
): Pick<Handlers<'read', Reader>, 'events.list'> {
  const list = listStatement(db);
  return {
    'events.list': {
      run: async (call) => {
        const route = 'events.list';
        const { accountId } = call.caller;
        const { limit = 50, after } = call.query;
        const place = cursors.decode(route, accountId, after) ?? start;
        const [commit = '', prepare = ''] = place;
        const parameters = { accountId, commit, prepare, limit: limit + 1 };
        const { rows, freshness } = await read(call, list, parameters);
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

const placeOf = ({ commit_position, prepare_position }: EventRow): Keyset => [
  commit_position,
  prepare_position,
];

const listStatement = (db: Database) =>
  freshStatement<Parameters, EventRow>(
    'list-events',
    (parameter) =>
      db
        .selectFrom('read_model.account_events')
        .select(['id', 'body', 'commit_position', 'prepare_position'])
        .where('account_id', '=', parameter('accountId'))
        .where(
          sql<boolean>`(commit_position, prepare_position)
            > (${parameter('commit')}::bigint, ${parameter('prepare')}::bigint)`,
        )
        .orderBy('commit_position')
        .orderBy('prepare_position')
        .limit(parameter('limit')),
    { order: 'page.commit_position, page.prepare_position' },
  );
