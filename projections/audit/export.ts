import type pg from 'pg';
import { auditFormats, type AuditFormat } from './formats.ts';
import { readAudit, type AuditRange } from './reading.ts';

/** An account's audit log as text, oldest entry first, in pieces to be written one after the other. */
export async function* exportAudit(
  accountId: string,
  { pool, format, ...range }: AuditRange & { readonly pool: pg.Pool; readonly format: AuditFormat },
): AsyncGenerator<string, void, undefined> {
  const { head, line } = auditFormats[format];
  if (head !== '') yield head;
  for await (const entry of readAudit(pool, accountId, range)) yield line(entry);
}
