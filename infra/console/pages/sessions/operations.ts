import {
  auditLog,
  sessions,
  type AuditEntry,
  type HistoryEntry,
} from '../../../../contracts/client/index.ts';
import { connection } from '../../service.ts';
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

const names: Readonly<Record<string, string>> = words.operations;

const keyOf = (action: string, requestId: string | null): string => `${action} ${requestId ?? ''}`;

/**
 * The newest operations of a session, from its history, with outcomes from the audit log. All steps of a turn have one request, so
 * entries of the same action and request are matched in order, from the oldest: one of the lists may have newer entries than the
 * other. Where older entries are left out, they are matched from the newest.
 */
export async function operationsOf(id: string): Promise<readonly Operation[]> {
  const { value } = await sessions(connection).past(id, { limit: 100 }).byPage().next();
  const all = (value?.data ?? []).filter(({ action }) => action in names);
  const entries = all.slice(0, MOST);
  const { payloads, isCut } = await outcomesOf(id, entries);
  const isWhole = !isCut && all.length === entries.length && value?.nextCursor === null;
  const operations = (isWhole ? entries.toReversed() : entries).map((entry) => {
    const alike = payloads.get(keyOf(entry.action, entry.request_id));
    return operationOf(entry, isWhole ? alike?.pop() : alike?.shift());
  });
  return isWhole ? operations.reverse() : operations;
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

interface Outcomes {
  /** Payloads of the session's entries in the audit log, by action and request, newest first. */
  readonly payloads: ReadonlyMap<string, AuditEntry['payload'][]>;
  /** Whether older entries were not read. */
  readonly isCut: boolean;
}

async function outcomesOf(id: string, entries: readonly HistoryEntry[]): Promise<Outcomes> {
  const [newest, oldest] = [entries[0], entries.at(-1)];
  const payloads = new Map<string, AuditEntry['payload'][]>();
  if (newest === undefined || oldest === undefined) return { payloads, isCut: false };
  const until = new Date(Date.parse(newest.at) + 1_000).toISOString();
  const since = new Date(Date.parse(oldest.at) - 60_000).toISOString();
  let pages = 0;
  for await (const { data, nextCursor } of auditLog(connection).list({ limit: 100, since, until }).byPage()) {
    for (const { target, action, request_id, payload } of data) {
      if (target.id !== id) continue;
      const key = keyOf(action, request_id);
      payloads.set(key, [...(payloads.get(key) ?? []), payload]);
    }
    pages += 1;
    if (pages === PAGES) return { payloads, isCut: nextCursor !== null };
  }
  return { payloads, isCut: false };
}
