import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { AuditRow } from '../audit/log.ts';
import { freshStatement } from './fresh-statement.ts';
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

/** The sequence of an entry is its position in the account's log, so it alone is the sort key. */
export const auditLogList = freshStatement<Parameters, AuditRow>(
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
      .where(sql<boolean>`(${parameter('until')}::timestamptz is null or created_at < ${parameter('until')})`)
      .orderBy('sequence', 'desc')
      .limit(parameter('limit')),
  { order: 'page.sequence desc' },
);
