import type pg from 'pg';
import { applyBatch } from '../../../../projections/index.ts';
import { sessions } from '../../../../projections/read-models/session.ts';
import { live } from '../../../../projections/engine/checkpoint.ts';
import type { RecordedEvent } from '../../../event-store/client/index.ts';
import { copyIn } from '../copy-in.ts';
import { startReadModels } from '../read-models.ts';
import { seededLife, seededStream } from '../seed-log.ts';
import type { RatioSubject } from '../subject.ts';

const rows = 20_000;
const batchEvents = 500;

/**
 * R6: overhead of a projection over inserting rows into its indexed table. Neither side waits for the disk, as in a
 * rebuild.
 */
export const projectionWrite: RatioSubject = {
  kind: 'ratio',
  id: 'R6',
  title: `rows folded and upserted, batch ${batchEvents} / raw COPY, ${rows} rows, indexed table`,
  pass: 0.4,
  stretch: 0.55,
  operations: rows,
  prepare: async ({ seed, directory, logger }) => {
    const models = await startReadModels(directory, logger);
    const client = await models.pool.connect();
    await client.query('set synchronous_commit = off');
    await client.query(
      'create schema raw; create table raw.sessions (like read_model.sessions including all)',
    );
    const events = Array.from({ length: rows }, (_, stream) => recorded(seed, stream));
    return {
      ours: { name: 'applyBatch', run: () => project(client, events) },
      raw: { name: 'COPY', run: () => copyRows(client, events) },
      close: async () => {
        client.release();
        await models.close();
      },
    };
  },
};

async function project(client: pg.ClientBase, events: readonly RecordedEvent[]): Promise<void> {
  await client.query('truncate read_model.sessions, runtime.checkpoints');
  for (let from = 0; from < events.length; from += batchEvents) {
    const { parked } = await applyBatch(client, live, [sessions], events.slice(from, from + batchEvents));
    if (parked.length > 0) throw new Error(parked[0]?.reason);
  }
}

async function copyRows(client: pg.ClientBase, events: readonly RecordedEvent[]): Promise<void> {
  await client.query('truncate raw.sessions');
  const lines = events.map((event) => {
    const values = Object.values(sessions.on.SessionRequested?.(undefined, event) ?? {});
    return [...values.map(asText), event.position.commit, event.position.prepare].join('\t');
  });
  await copyIn(client, 'copy raw.sessions from stdin', Buffer.from(`${lines.join('\n')}\n`));
}

/** COPY's text format; nothing of the seed needs escaping. */
const asText = (value: unknown): string =>
  value === null ? '\\N' : typeof value === 'string' ? value : JSON.stringify(value);

function recorded(seed: number, stream: number): RecordedEvent {
  const [event] = seededLife(stream, 1, { seed });
  if (event === undefined) throw new Error('A life has at least one event.');
  const place = BigInt(1_000 * (stream + 1));
  return {
    ...event,
    stream: seededStream(seed, stream),
    category: 'session',
    revision: 0n,
    position: { commit: place, prepare: place },
    created: new Date(event.metadata.occurred_at),
  };
}
