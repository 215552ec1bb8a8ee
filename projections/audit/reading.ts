import type pg from 'pg';
import type { AuditEntry } from '../../contracts/resources/account.ts';
import { isoTimes } from '../../infra/postgres/iso-times.ts';
import { setBack } from '../engine/set-back.ts';
import type { Schema } from '../engine/table.ts';
import { firstSince } from './bounds.ts';
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
  /** Reads a page once its turn has come. Default: at once. */
  readonly inTurn?: <Page>(read: () => Promise<Page>) => Promise<Page>;
}

const pageSize = 500;

const boundOf = (schema: Schema, time: string) => `(
  with recursive asked (account_id, at) as (select $1::text, ${time}), ${firstSince(schema)}
)`;

const pageIn = (schema: Schema) => `
  select ${auditColumns.join(', ')} from ${schema}.audit_log
  where account_id = $1 and sequence > $2
    and sequence >= coalesce(${boundOf(schema, `$5::timestamptz - ${setBack}`)}, 1)
    and sequence < coalesce(${boundOf(schema, `$6::timestamptz + ${setBack}`)}, 2147483647)
    and ($3::text is null or action = $3)
    and ($4::text is null or $4 in (${actingAccount}, actor_key_id, actor_type))
    and ($5::timestamptz is null or created_at >= $5)
    and ($6::timestamptz is null or created_at < $6)
  order by sequence limit $7`;

/** An account's entries, oldest first, read a page at a time: memory does not grow with their number. */
export async function* readAudit(
  pool: pg.Pool,
  accountId: string,
  {
    action,
    actor,
    since,
    until,
    after = 0,
    limit = Infinity,
    schema = 'read_model',
    inTurn = (read) => read(),
  }: AuditRange = {},
): AsyncGenerator<AuditEntry, void, undefined> {
  let last = after;
  let left = limit;
  while (left > 0) {
    const size = Math.min(pageSize, left);
    const page = {
      name: `read-audit-${schema}`,
      text: pageIn(schema),
      types: isoTimes,
      values: [accountId, last, action, actor, since, until, size],
    };
    const { rows } = await inTurn(() => pool.query<AuditRow>(page));
    for (const row of rows) yield toEntry(row);
    last = rows.at(-1)?.sequence ?? last;
    left -= rows.length;
    if (rows.length < size) return;
  }
}

export interface AuditExport extends AuditRange {
  readonly pool: pg.Pool;
  readonly format: AuditFormat;
}

/** An account's audit log as text, oldest entry first, in chunks. */
export async function* exportAudit(
  accountId: string,
  { pool, format, ...range }: AuditExport,
): AsyncGenerator<string, void, undefined> {
  const { head, line } = auditFormats[format];
  if (head !== '') yield head;
  for await (const entry of readAudit(pool, accountId, range)) yield line(entry);
}
