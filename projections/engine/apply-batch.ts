import pg from 'pg';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import { messageOf } from '../../infra/platform/error-message.ts';
import { addDay, missingDayIn } from '../../infra/postgres/index.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { blockedRows, park, rowOrStream, waitsBehind, type Parked } from './parking.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { Fold, Projection } from './projection.ts';
import { lockCheckpoint, moveCheckpoint, type Target } from './checkpoint.ts';

export interface Applied {
  /** Newly applied events; the others had been applied before. */
  readonly events: number;
  readonly parked: readonly Parked[];
}

const ownTransaction = { begin: 'begin', commit: 'commit', rollback: 'rollback' };
const withinTransaction = {
  begin: 'savepoint batch',
  commit: 'release savepoint batch',
  rollback: 'rollback to savepoint batch',
};

/**
 * Applies a batch of events in the order of the log, and moves the checkpoint, in one transaction (by default its
 * own).
 *
 * - Events at or before the checkpoint are skipped, and so are outdated tables.
 * - If Postgres refuses the data of a row, the batch is halved until one event is left. That event is applied
 *   `alone`, and parked for each projection that fails again.
 * - A batch with the first rows of a day is applied again once that day's partition exists.
 */
export async function applyBatch(
  client: pg.ClientBase,
  target: Target,
  projections: readonly Projection[],
  events: readonly RecordedEvent[],
  { nested = false, alone = false } = {},
): Promise<Applied> {
  const { begin, commit, rollback } = nested ? withinTransaction : ownTransaction;
  await client.query(begin);
  try {
    const applied = await applyWithin({ client, target, alone }, projections, events);
    await client.query(commit);
    return applied;
  } catch (error) {
    // A broken connection cannot roll back, and need not; the first error is thrown.
    await client.query(rollback).catch(() => undefined);
    const missing = missingDayIn(error);
    if (missing !== undefined) {
      await addDay(client, missing);
      return applyBatch(client, target, projections, events, { nested, alone });
    }
    if (!isDataError(error) || alone) throw error;
  }
  if (events.length < 2) return applyBatch(client, target, projections, events, { nested, alone: true });
  const middle = events.length >> 1;
  const first = await applyBatch(client, target, projections, events.slice(0, middle), { nested });
  const second = await applyBatch(client, target, projections, events.slice(middle), { nested });
  return { events: first.events + second.events, parked: [...first.parked, ...second.parked] };
}

interface Work {
  readonly client: pg.ClientBase;
  readonly target: Target;
  /**
   * The batch is a single event whose data Postgres has refused: it is parked for each projection whose write fails
   * again.
   */
  readonly alone: boolean;
}

async function applyWithin(
  { client, target, alone }: Work,
  projections: readonly Projection[],
  events: readonly RecordedEvent[],
): Promise<Applied> {
  const { position: reached, outdated } = await lockCheckpoint(client, target);
  const fresh = events.filter(({ position }) => isAfter(position, reached));
  const last = fresh.at(-1);
  if (last === undefined) return { events: 0, parked: [] };

  const blocked = await blockedRows(client, target.schema);
  const parked: Parked[] = [];
  for (const projection of projections) {
    if (outdated.has(projection.name)) continue;
    const rows = blocked.get(projection.name) ?? new Set();
    const batch = { client, target, alone, projection, blocked: rows };
    parked.push(...(await applyTo(batch, fresh)));
  }
  await park(client, parked);
  await moveCheckpoint(client, target, last.position);
  return { events: fresh.length, parked };
}

interface Batch extends Work {
  readonly projection: Projection;
  /** Rows with parked events; grows as events are parked. */
  readonly blocked: Set<string>;
}

async function applyTo(batch: Batch, events: readonly RecordedEvent[]): Promise<Parked[]> {
  const { client, target, projection, blocked, alone } = batch;
  const parked: Parked[] = [];
  const setAside = (event: RecordedEvent, reason: string) => {
    const row = rowOrStream(projection, event);
    blocked.add(row);
    parked.push({ schema: target.schema, projection: projection.name, row, event, reason });
  };

  const keyed = concerning(projection, events, setAside);
  if (keyed.length === 0) return parked;
  const fold = await projection.open(client, target.schema, keyed);
  for (const event of keyed) {
    if (blocked.size > 0 && blocked.has(projection.rowOf(event))) setAside(event, waitsBehind);
    else
      attempt(
        () => fold.apply(event),
        (reason) => setAside(event, reason),
      );
  }
  if (alone) await writeAlone(client, fold, (reason) => keyed.forEach((event) => setAside(event, reason)));
  else await fold.write();
  return parked;
}

/** The events that the projection handles. An event whose row cannot be determined is parked here. */
function concerning(
  { types, categories, owner, rowOf }: Projection,
  events: readonly RecordedEvent[],
  setAside: (event: RecordedEvent, reason: string) => void,
): RecordedEvent[] {
  return events.filter((event) => {
    if (!types.has(event.type) || !categories.includes(event.category)) return false;
    if (owner !== undefined && ownerOf(event) !== owner) return false;
    return attempt(
      () => rowOf(event),
      (reason) => setAside(event, reason),
    );
  });
}

function attempt(work: () => unknown, failed: (reason: string) => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    failed(messageOf(error));
    return false;
  }
}

async function writeAlone(
  client: pg.ClientBase,
  fold: Fold,
  failed: (reason: string) => void,
): Promise<void> {
  await client.query('savepoint alone');
  try {
    await fold.write();
  } catch (error) {
    if (!isDataError(error)) throw error;
    await client.query('rollback to savepoint alone');
    failed(messageOf(error));
  }
}

/** SQLSTATE classes 22 (invalid value) and 23 (constraint violation), which fail again when repeated. */
const isDataError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '') && missingDayIn(error) === undefined;
