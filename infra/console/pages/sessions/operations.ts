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

/** The newest operations of a session, from its history, with outcomes from the audit log. */
export async function operationsOf(id: string): Promise<readonly Operation[]> {
  const { value } = await sessions(connection).past(id, { limit: 100 }).byPage().next();
  const entries = (value?.data ?? []).filter(({ action }) => action in names).slice(0, MOST);
  const outcomes = await outcomesOf(id, entries);
  return entries.map(({ position, at, action, request_id: requestId }) => {
    const payload = outcomes.get(keyOf(action, requestId));
    return {
      ...{ position, at, requestId, name: names[action] ?? action },
      outcome: action === 'session.errored' ? 'failed' : outcomeIn(payload?.outcome),
      why: textIn(payload?.failure_category) ?? textIn(payload?.reason) ?? '',
      durationMs: typeof payload?.duration_ms === 'number' ? payload.duration_ms : undefined,
    };
  });
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const outcomeIn = (value: unknown): Operation['outcome'] =>
  value === 'succeeded' || value === 'failed' ? value : 'unknown';

async function outcomesOf(
  id: string,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, AuditEntry['payload']>> {
  const [newest, oldest] = [entries[0], entries.at(-1)];
  const found = new Map<string, AuditEntry['payload']>();
  if (newest === undefined || oldest === undefined) return found;
  const until = new Date(Date.parse(newest.at) + 1_000).toISOString();
  const since = new Date(Date.parse(oldest.at) - 1_000).toISOString();
  let pages = 0;
  for await (const { data } of auditLog(connection).list({ limit: 100, since, until }).byPage()) {
    for (const { target, action, request_id, payload } of data)
      if (target.id === id) found.set(keyOf(action, request_id), payload);
    pages += 1;
    if (pages === PAGES) break;
  }
  return found;
}
