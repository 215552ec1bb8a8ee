import {
  auditLog,
  sessions,
  type AuditEntry,
  type Connection,
  type HistoryEntry,
} from '../../../../contracts/client/index.ts';
import { words } from './strings.ts';

/** An operation of the browser with its outcome. */
export interface Operation {
  readonly position: string;
  readonly at: string;
  readonly name: string;
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
  /** Reason of a failure, from the audit log. */
  readonly why: string;
  readonly durationMs: number | undefined;
  readonly requestId: string | null;
}

const MOST = 50;
/** Maximal number of audit log pages searched for outcomes; some stay unknown if an account has many sessions. */
const PAGES = 5;
/** How much later, and earlier, the audit log may date an entry than the history, whose clock is the event store's. */
const SKEW_MS = { later: 2_000, earlier: 60_000 } as const;

const names: Readonly<Record<string, string>> = words.operations;

/** The newest operations of a session, from its history, with outcomes from the audit log. */
export async function operationsOf(connection: Connection, id: string): Promise<readonly Operation[]> {
  const { value } = await sessions(connection).past(id, { limit: 100 }).byPage().next();
  const entries = (value?.data ?? []).filter(({ action }) => action in names).slice(0, MOST);
  const payloads = await payloadsOf(connection, entries);
  return entries.map((entry) => operationOf(entry, payloads.get(entry.audit_entry_id ?? '')));
}

const operationOf = (
  { position, at, action, request_id: requestId }: HistoryEntry,
  payload: AuditEntry['payload'] | undefined,
): Operation => ({
  ...{ position, at, requestId, name: names[action] ?? action },
  outcome: action === 'session.errored' ? 'failed' : outcomeIn(payload?.outcome),
  why: textIn(payload?.failure_category) ?? textIn(payload?.reason) ?? '',
  durationMs: typeof payload?.duration_ms === 'number' ? payload.duration_ms : undefined,
});

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const outcomeIn = (value: unknown): Operation['outcome'] =>
  value === 'succeeded' || value === 'failed' ? value : 'unknown';

/** Payloads of the entries in the audit log, by its ids. The log is searched from the newest of them. */
async function payloadsOf(
  connection: Connection,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, AuditEntry['payload']>> {
  const payloads = new Map<string, AuditEntry['payload']>();
  const wanted = new Set(entries.flatMap(({ audit_entry_id: id }) => id ?? []));
  const [newest, oldest] = [entries[0], entries.at(-1)];
  if (newest === undefined || oldest === undefined) return payloads;
  const until = new Date(Date.parse(newest.at) + SKEW_MS.later).toISOString();
  const since = new Date(Date.parse(oldest.at) - SKEW_MS.earlier).toISOString();
  let pages = 0;
  for await (const { data } of auditLog(connection).list({ limit: 100, since, until }).byPage()) {
    for (const { id, payload } of data) if (wanted.has(id)) payloads.set(id, payload);
    pages += 1;
    if (pages === PAGES || payloads.size === wanted.size) break;
  }
  return payloads;
}
