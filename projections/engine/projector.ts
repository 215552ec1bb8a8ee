import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { followLog } from '../../infra/log-follower/follow.ts';
import { keepDays } from '../../infra/postgres/index.ts';
import { leadInTerms, type Leader, type Term } from '../../infra/postgres/leadership.ts';
import { following, inSpan } from '../../infra/tracing/index.ts';
import { allPrefixes, projections as everyProjection } from '../catalogue.ts';
import { applyBatch } from './apply-batch.ts';
import { batches } from './batches.ts';
import { live, moveCheckpoint, readCheckpoint } from './checkpoint.ts';
import type { ProjectorOptions } from './projector-options.ts';
import { markOutdated, replaceTables } from './upgrade.ts';

/** Closing it finishes the present batch. */
export type Projector = Leader;

/**
 * Keeps the read models up to date. In a term it subscribes from the checkpoint, and applies batches on the connection that holds
 * the projectors' lock.
 */
export const startProjector = (options: ProjectorOptions): Projector =>
  leadInTerms(
    {
      ...{ pool: options.pool, logger: options.logger, lock: 'projector' },
      ...{ standbyMs: options.standbyMs ?? 250, maxBackoffMs: options.maxBackoffMs ?? 5000 },
    },
    async (term) => {
      const { client, signal, end } = term;
      // Rows are found by key; a plan cached while the tables were small would scan them.
      await client.query('set enable_seqscan = off');
      if (options.keptDays !== undefined) await keepDays(client, options.keptDays);
      const builder = randomUUID();
      const outdated = await markOutdated(client, options.projections ?? everyProjection, builder);
      const replacing = replaceTables(options, outdated, builder, signal);
      try {
        await follow(options, term);
      } finally {
        end();
        await replacing;
      }
    },
  );

async function follow(options: ProjectorOptions, { client, signal, progressed }: Term): Promise<void> {
  const { store, batchEvents = 500, batchWindowMs = 10 } = options;
  const from = await readCheckpoint(client, live);
  const work = batches({
    maxEvents: batchEvents,
    windowMs: batchWindowMs,
    apply: async (events) => {
      await applyObserved(client, options, events);
      progressed();
    },
    pass: (position) => moveCheckpoint(client, live, position),
  });
  await followLog({ store, from, prefixes: allPrefixes }, work, signal);
}

const projecting = (events: number) =>
  ({
    name: 'process projections',
    kind: 'consumer',
    attributes: {
      'messaging.system': 'eventstoredb',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'project',
      'messaging.consumer.group.name': 'projections',
      'messaging.batch.message_count': events,
    },
  }) as const;

const writing = {
  name: 'write read_model',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'write', 'db.namespace': 'read_model' },
} as const;

async function applyObserved(
  client: pg.ClientBase,
  { clock, logger, observer = {}, projections = everyProjection }: ProjectorOptions,
  events: readonly RecordedEvent[],
): Promise<void> {
  const applied = await following(
    events.map(({ metadata }) => metadata.traceparent),
    projecting(events.length),
    () => inSpan(writing, () => applyBatch(client, live, projections, events)),
  );
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
  observer.applied?.({ happened: events, lagMs: clock.now().getTime() - last.created.getTime() });
}
