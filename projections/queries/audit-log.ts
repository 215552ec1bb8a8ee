import { sql, type RawBuilder } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import { firstSince } from '../audit/bounds.ts';
import { actingAccount, type AuditRow } from '../audit/log.ts';
import { setBack } from '../engine/set-back.ts';
import { freshStatement, type Parameters as Named } from './fresh-statement.ts';
import { db } from './tables.ts';

interface Parameters {
  readonly accountId: AccountId;
  readonly before: number;
  readonly action: string | null;
  readonly actor: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly limit: number;
}

/** Table and name column per type of target, and of which rows, by default of all. */
const called: Readonly<Record<string, readonly [table: string, name: string, which?: string]>> = {
  session: ['sessions', 'label'],
  profile: ['profiles', "state->>'name'", "target.status <> 'purged'"],
  profile_snapshot: ['profile_snapshots', "state->>'label'"],
  api_key: ['api_keys', 'name'],
  webhook: ['webhooks', 'description'],
  proxy: ['proxies', "fields->>'label'"],
};

/** Name of the entry's target, if the account still owns it: a transferred one may have been renamed by its new owner. */
const targetName = sql.raw(
  `case entry.target_type ${Object.entries(called)
    .map(
      ([
        type,
        [table, name, which = 'true'],
      ]) => `when '${type}' then (select target.${name} from read_model.${table} as target
        where target.id = entry.target_id and target.account_id = entry.account_id and ${which})`,
    )
    .join('\n')} end`,
);

export interface ListedEntry extends AuditRow {
  /** Null without a name. */
  readonly target_name: string | null;
}

const actorAccount = sql.raw(actingAccount);

/** Bounds on the sequence that no entry is beyond which the times include. */
const boundsOf = (parameter: Named<Parameters>) => {
  const margin = sql.raw(setBack);
  const first = (time: RawBuilder<unknown>) => sql`(
    with recursive asked (account_id, at) as (select ${parameter('accountId')}::text, ${time}),
    ${sql.raw(firstSince('read_model'))}
  )`;
  return sql<boolean>`
    sequence >= coalesce(${first(sql`${parameter('since')}::timestamptz - ${margin}`)}, 1)
    and sequence < coalesce(${first(sql`${parameter('until')}::timestamptz + ${margin}`)}, 2147483647)`;
};

/** The sequence is the entry's position in the account's log, and so the only sort key. */
export const auditLogList = freshStatement<Parameters, ListedEntry>(
  'list-audit-log',
  (parameter) =>
    db
      .selectFrom('read_model.audit_log as entry')
      .selectAll()
      .select(sql<string | null>`${targetName}`.as('target_name'))
      .where('account_id', '=', parameter('accountId'))
      .where('sequence', '<', parameter('before'))
      .where(sql<boolean>`(${parameter('action')}::text is null or action = ${parameter('action')})`)
      .where(
        sql<boolean>`(${parameter('actor')}::text is null
            or ${parameter('actor')} in (${actorAccount}, actor_key_id, actor_type))`,
      )
      .where(boundsOf(parameter))
      .where(
        sql<boolean>`(${parameter('since')}::timestamptz is null or created_at >= ${parameter('since')})`,
      )
      .where(sql<boolean>`(${parameter('until')}::timestamptz is null or created_at < ${parameter('until')})`)
      .orderBy('sequence', 'desc')
      .limit(parameter('limit')),
  { order: 'page.sequence desc' },
);
