import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { sessionEvents } from '../../../../contracts/events/session.ts';
import { handlersOf } from '../handlers.ts';
import type { EventStore } from '../../../event-store/client/index.ts';
import { startRebuildable } from './r5-rebuild.ts';
import type { RatioSubject } from '../subject.ts';

const events = 20_000;
const oneByOne = 500;

/** R5b: the same rebuild against the usual first implementation: each event in a transaction of its own. */
export const rebuildOneByOne: RatioSubject = {
  kind: 'ratio',
  id: 'R5b',
  title: `rebuild of ${events} events / a kysely transaction for each event`,
  pass: 15,
  stretch: 25,
  operations: events,
  prepare: async (bench) => {
    const { store, pool, rebuild, close } = await startRebuildable(bench, events);
    await pool.query(naiveTables);
    return {
      ours: { name: 'rebuildProjection', run: rebuild },
      raw: {
        name: 'a transaction per event',
        operations: oneByOne,
        run: (operations) => applyOneByOne(store, pool, operations),
      },
      close,
    };
  },
};

const naiveTables = `
  create schema naive;
  create table naive.sessions (like read_model.sessions including all);
  alter table naive.sessions drop column commit_position, drop column prepare_position;
  create table naive.checkpoints (name text primary key, commit_position bigint not null);
  insert into naive.checkpoints values ('sessions', -1);`;

interface Naive {
  'naive.sessions': {
    id: string;
    account_id: string;
    archetype: string;
    status: string;
    label: string | null;
    metadata: string;
    node_id: string | null;
    created_at: string;
    updated_at: string;
    expires_at: string | null;
  };
  'naive.checkpoints': { name: string; commit_position: string };
}

async function applyOneByOne(store: EventStore, pool: pg.Pool, limit: number): Promise<void> {
  const db = new Kysely<Naive>({ dialect: new PostgresDialect({ pool }) });
  await pool.query('truncate naive.sessions');
  for await (const event of store.readAll({ limit, prefixes: ['session-'] })) {
    const row = rowOf.SessionRequested?.(event);
    if (row === undefined) throw new Error(`The log holds a ${event.type}.`);
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('naive.sessions').values(row).execute();
      await transaction
        .updateTable('naive.checkpoints')
        .set({ commit_position: String(event.position.commit) })
        .where('name', '=', 'sessions')
        .execute();
    });
  }
}

const rowOf = handlersOf(sessionEvents, {
  SessionRequested: ({ data }): Naive['naive.sessions'] => ({
    id: data.sessionId,
    account_id: data.accountId,
    archetype: data.archetype,
    status: 'creating',
    label: data.label,
    metadata: JSON.stringify(data.metadata),
    node_id: data.nodeId,
    created_at: data.at,
    updated_at: data.at,
    expires_at: data.expiresAt,
  }),
});
