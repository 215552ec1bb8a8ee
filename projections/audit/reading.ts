import type pg from 'pg';
import type { AuditEntry } from '../../contracts/resources/account.ts';
import { isoTimes } from '../../infra/postgres/iso-times.ts';
import type { Schema } from '../engine/table.ts';
import { auditFormats, type AuditFormat } from './formats.ts';
import { actingAccount, auditColumns, toEntry, type AuditRow } from './log.ts';

export interface AuditFilter {
  readonly action?: string | undefined;
  /** The id of an account or of a key, or an actor type. */
  readonly actor?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | null;
  /** Exclusive. */
  readonly until?: Date | null;
}

export interface AuditRange extends AuditFilter {
  /** Only entries with a higher sequence. */
  readonly after?: number;
  readonly limit?: number;
  /** Default: the live one. */
  readonly schema?: Schema | undefined;
}

const pageSize = 500;

const pageIn = (schema: Schema) => `
  select ${auditColumns.join(', ')} from ${schema}.audit_log
  where account_id = $1 and sequence > $2
    and ($3::text is null or action = $3)
    and ($4::text is null or $4 in (${actingAccount}, actor_key_id, actor_type))
    and ($5::timestamptz is null or created_at >= $5)
    and ($6::timestamptz is null or created_at < $6)
  order by sequence limit $7`;

/** An account's entries, oldest first, read a page at a time: memory does not grow with their number. */
export async function* readAudit(
  pool: pg.Pool,
  accountId: string,
  { action, actor, since, until, after = 0, limit = Infinity, schema = 'read_model' }: AuditRange = {},
): AsyncGenerator<AuditEntry, void, undefined> {
  let last = after;
  let left = limit;
  while (left > 0) {
    const size = Math.min(pageSize, left);
    const { rows } = await pool.query<AuditRow>({
      name: `read-audit-${schema}`,
      text: pageIn(schema),
      types: isoTimes,
      values: [accountId, last, action, actor, since, until, size],
    });
    for (const row of rows) yield toEntry(row);
    last = rows.at(-1)?.sequence ?? last;
    left -= rows.length;
    if (rows.length < size) return;
  }
}

/** An account's audit log as text, oldest entry first, in chunks. */
export async function* exportAudit(
  accountId: string,
  { pool, format, ...range }: AuditRange & { readonly pool: pg.Pool; readonly format: AuditFormat },
): AsyncGenerator<string, void, undefined> {
  const { head, line } = auditFormats[format];
  if (head !== '') yield head;
  for await (const entry of readAudit(pool, accountId, range)) yield line(entry);
}
