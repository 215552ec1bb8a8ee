import type pg from 'pg';
import type { Position } from '../../../infra/event-store/client/types.ts';
import { parkingIn, type Parking } from '../../../infra/log-follower/parking.ts';
import { fromColumns, type PositionColumns } from '../../../infra/postgres/position-columns.ts';

export const processMigrations = [
  {
    id: 'processes/1-checkpoints-and-parked-reactions',
    sql: `
      create schema if not exists runtime;
      create table runtime.process_checkpoints (
        name text primary key,
        commit_position bigint not null,
        prepare_position bigint not null
      );
      create table runtime.parked_reactions (
        process text not null,
        event_id uuid not null,
        event_type text not null,
        stream text not null,
        revision bigint not null,
        reason text not null,
        attempts integer not null,
        parked_at timestamptz not null default now(),
        primary key (process, event_id)
      );`,
  },
  {
    // The deliveries' host takes over from the process host, which did its work in earlier releases.
    id: 'processes/2-the-deliveries-host-goes-on-where-processes-were',
    sql: `
      insert into runtime.process_checkpoints (name, commit_position, prepare_position)
      select 'deliveries', commit_position, prepare_position from runtime.process_checkpoints
      where name = 'processes'`,
  },
] as const;

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Checkpoint of the reactions: every event up to it has taken effect or is parked. */
export interface Checkpoint {
  read(): Promise<Position | undefined>;
  save(position: Position): Promise<void>;
}

/** One subscription feeds every process manager of a host, so a host has one checkpoint. */
export const checkpointIn = (client: Queryable, host: string): Checkpoint => ({
  read: async () => {
    const { rows } = await client.query<PositionColumns>(
      'select commit_position, prepare_position from runtime.process_checkpoints where name = $1',
      [host],
    );
    const row = rows[0];
    return row && fromColumns(row);
  },
  save: async ({ commit, prepare }) => {
    await client.query(
      `insert into runtime.process_checkpoints (name, commit_position, prepare_position) values ($1, $2, $3)
       on conflict (name) do update set
         commit_position = excluded.commit_position, prepare_position = excluded.prepare_position`,
      [host, commit, prepare],
    );
  },
});

/** Reactions are parked per process manager. */
export type ReactionParking = Parking<{ readonly process: string }>;

export const reactionParkingIn = (client: Queryable): ReactionParking =>
  parkingIn(client, {
    table: 'runtime.parked_reactions',
    place: ['process'],
    unique: ['process', 'event_id'],
    order: 'parked_at',
  });
