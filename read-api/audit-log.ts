import type { AccountId } from '../contracts/ids.ts';
import { sql } from 'kysely';
import type { Handlers } from '../infra/http/index.ts';
import { toEntry, type StoredEntry } from '../projections/audit/log.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { pageOf } from './engine/paging.ts';
import type { Read } from './engine/reading.ts';
import { freshStatement } from './engine/statement.ts';
import type { Database } from '../projections/queries/tables.ts';
import { timeOf } from './engine/time.ts';

interface Parameters {
  readonly accountId: AccountId;
  readonly before: number;
  readonly action: string | null;
  readonly actor: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly limit: number;
}

/** Sequences are below it. */
const afterAll = 2 ** 31 - 1;

/** The sequence of an entry is its place in the account's log, so it alone is the sort key. */
const listStatement = (db: Database) =>
  freshStatement<Parameters, StoredEntry>(
    'list-audit-log',
    (parameter) =>
      db
        .selectFrom('read_model.audit_log')
        .selectAll()
        .where('account_id', '=', parameter('accountId'))
        .where('sequence', '<', parameter('before'))
        .where(sql<boolean>`(${parameter('action')}::text is null or action = ${parameter('action')})`)
        .where(
          sql<boolean>`(${parameter('actor')}::text is null
            or ${parameter('actor')} in (actor_account_id, actor_key_id, actor_type))`,
        )
        .where(
          sql<boolean>`(${parameter('since')}::timestamptz is null or created_at >= ${parameter('since')})`,
        )
        .where(
          sql<boolean>`(${parameter('until')}::timestamptz is null or created_at < ${parameter('until')})`,
        )
        .orderBy('sequence', 'desc')
        .limit(parameter('limit')),
    { order: 'page.sequence desc' },
  );

export function auditLogReads(
  db: Database,
  read: Read,
  cursors: Cursors,
): Pick<Handlers<'read', Reader>, 'audit-log.list'> {
  const list = listStatement(db);
  return {
    'audit-log.list': {
      run: async (call) => {
        const route = 'audit-log.list';
        const { accountId } = call.caller;
        const { limit = 50, cursor, action = null, actor = null, since, until } = call.query;
        const [before = afterAll] = (cursors.decode(route, accountId, cursor) ?? []).map(Number);
        const { rows, freshness } = await read(call, list, {
          accountId,
          before,
          action,
          actor,
          since: timeOf('since', since),
          until: timeOf('until', until),
          limit: limit + 1,
        });
        const keysetOf = ({ sequence }: StoredEntry) => [String(sequence)];
        const body = pageOf(rows, { route, accountId, limit, cursors, keysetOf, show: toEntry });
        return { body, ...freshness };
      },
    },
  };
}
