import type { AuditEntry } from '../../contracts/resources/account.ts';

export type AuditFormat = 'csv' | 'jsonl';

interface Format {
  readonly contentType: string;
  /** The text before the first entry. */
  readonly head: string;
  readonly line: (entry: AuditEntry) => string;
}

type Cell = string | number | null | undefined;

const csvColumns: readonly [string, (entry: AuditEntry) => Cell][] = [
  ['id', (entry) => entry.id],
  ['sequence', (entry) => entry.sequence],
  ['action', (entry) => entry.action],
  ['account_id', (entry) => entry.account_id],
  ['actor_type', (entry) => entry.actor_type],
  ['actor_account_id', (entry) => entry.actor_account_id],
  ['actor_key_id', (entry) => entry.actor_key_id],
  ['target_type', (entry) => entry.target.type],
  ['target_id', (entry) => entry.target.id],
  ['payload', (entry) => JSON.stringify(entry.payload)],
  ['ip', (entry) => entry.ip],
  ['user_agent', (entry) => entry.user_agent],
  ['request_id', (entry) => entry.request_id],
  ['created_at', (entry) => entry.created_at],
  ['prev_hash', (entry) => entry.prev_hash],
  ['hash', (entry) => entry.hash],
];

export const auditFormats: Record<AuditFormat, Format> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: `${csvColumns.map(([name]) => name).join(',')}\r\n`,
    line: (entry) => `${csvColumns.map(([, value]) => csvCell(value(entry))).join(',')}\r\n`,
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (entry) => `${JSON.stringify(entry)}\n`,
  },
};

/**
 * RFC 4180, and safe for spreadsheets: a cell that could be read as a formula gets a leading apostrophe (OWASP, CSV injection),
 * because user agents and names are written by clients.
 */
function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
