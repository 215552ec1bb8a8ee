import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { takeAdvisoryLock } from '../../infra/postgres/advisory-lock.ts';
import { applyBatch } from './apply-batch.ts';
import { batches } from './batches.ts';
import { allPrefixes, projections as everyProjection } from '../catalogue.ts';
import { compare, origin } from '../../infra/event-store/client/position.ts';
import type { ProjectorOptions } from './projector.ts';
import { live, moveCheckpoint, readCheckpoint } from './checkpoint.ts';
import { markOutdated, replaceTables } from './upgrade.ts';

interface TermEvents {
  /** The lock is held. */
  began(): void;
  /** A batch is in the database. */
  progressed(): void;
}

/** One term of a projector: from taking the lock to losing it, to an error, or to the signal. */
export async function term(
  options: ProjectorOptions,
  signal: AbortSignal,
  events: TermEvents,
): Promise<void> {
  const client = await options.pool.connect();
  try {
    await takeAdvisoryLock(client, 'projector', options.standbyMs ?? 250, signal);
    if (signal.aborted) return;
    // Rows are found by their keys; a plan kept from when the tables were small would read them from end to end.
    await client.query('set enable_seqscan = off');
    events.began();
    const builder = randomUUID();
    const outdated = await markOutdated(client, options.projections ?? everyProjection, builder);
    const ending = new AbortController();
    const replacing = replaceTables(options, outdated, builder, ending.signal);
    try {
      await follow(client, options, signal, events);
    } finally {
      ending.abort();
      await replacing;
    }
  } finally {
    // Closing the connection is what gives the lock back.
    client.release(true);
  }
}

async function follow(
  client: pg.ClientBase,
  options: ProjectorOptions,
  signal: AbortSignal,
  { progressed }: TermEvents,
): Promise<void> {
  const { store, batchEvents = 500, batchWindowMs = 10 } = options;
  const from = await readCheckpoint(client, live);
  const subscription = store.subscribe({
    from: compare(from, origin) === 0 ? 'start' : from,
    prefixes: allPrefixes,
  });
  const work = batches({
    maxEvents: batchEvents,
    windowMs: batchWindowMs,
    apply: async (events) => {
      await applyObserved(client, options, events);
      progressed();
    },
    pass: (position) => moveCheckpoint(client, live, position),
  });
  const close = () => void subscription.close();
  signal.addEventListener('abort', close);
  client.once('end', close);
  work.finished.catch(close);
  try {
    if (signal.aborted) return;
    for await (const message of subscription) {
      if (message.kind === 'event') await work.add(message.event);
      else if (message.kind === 'checkpoint') work.pass(message.position);
    }
    await work.close();
  } finally {
    signal.removeEventListener('abort', close);
    await subscription.close();
  }
}

async function applyObserved(
  client: pg.ClientBase,
  { clock, logger, observer = {}, projections = everyProjection }: ProjectorOptions,
  events: readonly RecordedEvent[],
): Promise<void> {
  const startedAt = performance.now();
  const applied = await applyBatch(client, live, projections, events);
  for (const parked of applied.parked) {
    const { projection, row, reason, event } = parked;
    logger.error(
      { projection, row, reason, event_id: event.id, event_type: event.type },
      'An event was parked.',
    );
    observer.parked?.(parked);
  }
  const last = events.at(-1);
  if (last === undefined) return;
  observer.applied?.({
    events: applied.events,
    happened: events,
    position: last.position,
    lagMs: clock.now().getTime() - last.created.getTime(),
    durationMs: performance.now() - startedAt,
  });
}
