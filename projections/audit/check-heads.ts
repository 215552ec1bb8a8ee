import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { auditHeadEvents, type AuditHeadEvent } from '../../contracts/events/audit-head.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { lastPosition, type EventStore } from '../../infra/event-store/client/index.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import { HeadUnreadable } from '../../infra/notes/kept-head.ts';
import { allPrefixes } from '../catalogue.ts';
import { projectedUpTo } from '../engine/checkpoint.ts';
import { firstContradiction, newestRecorded, stopSigning } from './guard.ts';
import type { SizeOf } from './tree.ts';

/** How long a seemingly lost head waits for the read models to reach the log's end, and the interval of that check. */
const [usualCatchUpMs, lookMs] = [60_000, 500];

interface Checked {
  readonly pool: pg.Pool;
  readonly store: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly log: string;
  /** Why the log contradicts the signed public head; null if it does not. Rejects with `HeadUnreadable`. */
  readonly publicHead: () => Promise<string | null>;
  /** Default: a minute. */
  readonly catchUpMs?: number;
  /** Ends the wait for the read models. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks every signed head against the log, and stops the signing in every process if one contradicts it, as after a restore of
 * an older copy, or if the public head cannot be read. Returns the reason, or null. Rejects, and changes nothing, if a head seems
 * lost while the read models are behind.
 */
export async function checkSignedHeads(checked: Checked): Promise<string | null> {
  const reason = (await contradictionIn(checked)) ?? (await checked.publicHead().catch(reasonIfUnreadable));
  await stopSigning(checked.pool, checked.log, reason);
  return reason;
}

function reasonIfUnreadable(error: unknown): string {
  if (error instanceof HeadUnreadable) return error.message;
  throw error;
}

async function contradictionIn({ pool, store, log, catchUpMs, signal }: Checked): Promise<string | null> {
  const recorded = await newestRecorded(pool, log);
  if (recorded !== undefined && !(await hasNote(store, log, recorded)))
    return `The log lacks a note of ${recorded.accountId} that was recorded: it is an older copy.`;
  const found = await firstContradiction(pool, log);
  if (found?.contradiction !== 'shorter') return found?.message ?? null;
  await projectedWhole({ pool, store, catchUpMs, signal });
  return (await firstContradiction(pool, log))?.message ?? null;
}

/** Whether the account's newest recorded note is of this log, and of that size or a larger one. */
async function hasNote(
  store: Pick<EventStore, 'readStream'>,
  log: string,
  { accountId, size }: SizeOf,
): Promise<boolean> {
  const stream = streamOf(auditHeadEvents, uuidOf(accountId));
  for await (const { data } of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
    const note = data as DataOf<AuditHeadEvent, 'AuditHeadSigned'>;
    return note.log === log && note.size >= size;
  }
  return false;
}

/** Waits until the read models include the log's end as of the call. Rejects if that takes too long, or the signal is aborted. */
async function projectedWhole({
  pool,
  store,
  catchUpMs = usualCatchUpMs,
  signal,
}: Pick<Checked, 'pool' | 'store'> & {
  readonly catchUpMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}): Promise<void> {
  const end = await lastPosition(store, allPrefixes);
  for (let waited = 0; ; waited += lookMs) {
    const projected = await projectedUpTo(pool);
    if (end === undefined || (projected !== undefined && !isAfter(end, projected))) return;
    if (waited >= catchUpMs || signal?.aborted)
      throw new Error('The read models are behind the log: the next round checks the signed heads again.');
    await delay(lookMs);
  }
}
