import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sessionEvents, type SessionEvent } from '../../../contracts/events/session.ts';
import type { EventStore, RecordedEvent } from '../../event-store/client/index.ts';
import { loadEmmett } from './emmett-packages.ts';
import { startRebuildable } from './rows/r5-rebuild.ts';
import type { RatioSubject } from './subject.ts';

/** Few, as Emmett's side takes milliseconds for each. */
const events = 2_000;
const batchEvents = 500;
const database = 'emmett';
const collectionName = 'sessions';

type Requested = Extract<SessionEvent, { type: 'SessionRequested' }>['data'];

/**
 * A rebuild of our read model of sessions against Emmett's documented one, `rebuildPostgreSQLProjections` of a Pongo
 * single-stream projection: the same Postgres, the same events, as many documents as rows, with the same members.
 * In Emmett's favour: its events are already in that Postgres, while ours come over gRPC from another process; it
 * refills its emptied collection, while ours builds a table with indexes beside the live one, compares and swaps; its
 * pause between batches is set to 0.
 * In ours: rows are folded in memory and written with one statement for a batch, while Emmett passes its projection one
 * event at a time, and Pongo reads and writes a document each.
 */
export const emmettRebuild: RatioSubject = {
  kind: 'ratio',
  id: 'emmett-rebuild',
  long: true,
  title: `rebuild / Emmett's rebuild of a Pongo projection, ${events} events in as many rows, batch ${batchEvents}`,
  pass: 1,
  stretch: 3,
  operations: events,
  prepare: async (bench) => {
    const ours = await startRebuildable(bench, events);
    const theirs = await startEmmett(ours.store, ours.pool, ours.postgresUrl);
    return {
      ours: { name: 'rebuildProjection', run: ours.rebuild },
      raw: { name: 'rebuildPostgreSQLProjections', run: theirs.rebuild },
      close: () => theirs.close().then(ours.close),
    };
  },
};

/** Emmett's event store in a database of its own, with our events. */
async function startEmmett(from: EventStore, pool: pg.Pool, postgresUrl: string) {
  const emmett = await loadEmmett();
  await pool.query(`create database ${database}`);
  const url = new URL(postgresUrl);
  url.pathname = database;
  const store = emmett.getPostgreSQLEventStore(url.href);
  await store.schema.migrate();
  const seeds: RecordedEvent[] = [];
  for await (const event of from.readAll({ prefixes: [`${sessionEvents.name}-`] })) seeds.push(event);
  for (const { stream, type, data, metadata } of seeds)
    await store.appendToStream(stream, [{ type, data, metadata }]);
  let evolved = 0;
  const projection = emmett.pongoSingleStreamProjection<Requested, object>({
    collectionName,
    canHandle: ['SessionRequested'],
    getDocumentId: ({ data }) => data.sessionId,
    evolve: (_document, { data }) => {
      evolved += 1;
      return documentOf(data);
    },
  });
  return {
    rebuild: async () => {
      evolved = 0;
      // A processor that has reached the end of the log would resume there, so each rebuild uses one that never ran.
      const processorId = `rebuild-${randomUUID()}`;
      const rebuild = emmett.rebuildPostgreSQLProjections({
        connectionString: url.href,
        projections: [{ projection, processorId, truncateOnStart: true }],
        pulling: { batchSize: batchEvents, pullingFrequencyInMs: 0 },
      });
      await rebuild.start();
      await rebuild.close();
      if (evolved !== events) throw new Error(`Rebuilt from ${evolved} events of ${events}.`);
    },
    close: () => store.close(),
  };
}

/** The members of our row. */
const documentOf = ({
  sessionId,
  accountId,
  archetype,
  label,
  metadata,
  nodeId,
  at,
  expiresAt,
}: Requested) => ({
  id: sessionId,
  account_id: accountId,
  archetype,
  status: 'creating',
  label,
  metadata,
  profile_id: null,
  node_id: nodeId,
  created_at: at,
  updated_at: at,
  ready_at: null,
  destroyed_at: null,
  ended_reason: null,
  expires_at: expiresAt,
  egress_capabilities: null,
});
