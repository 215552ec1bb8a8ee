import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { auditHeadEvents, type AuditHeadEvent } from '../../../contracts/events/audit-head.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import type { DataOf } from '../../../domain/kit/decider.ts';
import { auditHeadSweep } from '../../../commands/process-managers/audit-heads.ts';
import type { Processes } from '../../../commands/process-managers/index.ts';
import { allPrefixes } from '../../../projections/catalogue.ts';
import {
  firstContradiction,
  headIsRecorded,
  newestRecorded,
  signingStop,
  stopSigning,
  unrecordedHeads,
} from '../../../projections/audit/guard.ts';
import { createHeadSigner } from '../../../projections/audit/signing.ts';
import type { SizeOf } from '../../../projections/audit/tree.ts';
import { projectedUpTo } from '../../../projections/engine/checkpoint.ts';
import { isAfter } from '../../event-store/client/position.ts';
import { lastPosition, type EventStore } from '../../event-store/client/index.ts';
import { HeadUnreadable } from '../../notes/kept-head.ts';
import { publicUrl } from './public-url.ts';
import { openAnchoring } from './anchoring.ts';
import type { Ports } from './ports.ts';
import { openNoteKeys } from './stores.ts';

/** How long a seemingly lost head waits for the read models to reach the log's end, and the interval of that check. */
const [usualCatchUpMs, lookMs] = [60_000, 500];

type HeadPorts = Pick<
  Ports,
  'config' | 'clock' | 'logger' | 'metrics' | 'pool' | 'record' | 'vault' | 'runner'
>;

/** Signs heads of audit logs. The leader of the process hosts does it. */
export function auditHeadProcesses(ports: HeadPorts): Processes {
  const { config, pool, metrics, record } = ports;
  const noteKeys = openNoteKeys(config, pool);
  const currentLog = async () => (await noteKeys.current()).log;
  metrics.gauge('service_audit_signing_stopped', '1 while heads of audit logs are not signed', async () =>
    Number((await signingStop(pool, await currentLog())) !== null),
  );
  const { contradiction: publicHead } = openAnchoring(ports);
  const sweep = auditHeadSweep(
    {
      ...ports,
      check: async (signal) =>
        checkSignedHeads({ pool, store: record, log: await currentLog(), publicHead, signal }),
      unrecorded: async (page) => unrecordedHeads(pool, await currentLog(), page),
      sign: createHeadSigner({ ...ports, noteKeys, baseUrl: publicUrl(config) }),
      isRecorded: (head) => headIsRecorded(pool, head),
    },
    config.AUDIT_HEAD_INTERVAL,
  );
  return { managers: [], sweeps: [sweep] };
}

/**
 * The name under which heads of audit logs are signed, null before the first; and why the signing is stopped, null if it is not.
 */
export async function auditSigning({ config, pool }: Pick<Ports, 'config' | 'pool'>) {
  const newest = (await openNoteKeys(config, pool).list()).at(-1);
  if (newest === undefined) return { name: null, stopped: null };
  return { name: newest.name, stopped: await signingStop(pool, newest.log) };
}

/** Rejects with the reason while signing is stopped. */
export const auditSigningCheck = (ports: Pick<Ports, 'config' | 'pool'>) => async (): Promise<void> => {
  const { stopped } = await auditSigning(ports);
  if (stopped !== null) throw new Error(stopped);
};

interface Checked {
  readonly pool: pg.Pool;
  readonly store: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly log: string;
  /** Why the log contradicts the signed public head; null if it does not. Rejects with `HeadUnreadable`. */
  readonly publicHead: () => Promise<string | null>;
  /** Default: a minute. */
  readonly catchUpMs?: number;
  /** Ends the wait for the read models. */
  readonly signal?: AbortSignal;
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
  const stream = `${auditHeadEvents.name}-${uuidOf(accountId)}`;
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
