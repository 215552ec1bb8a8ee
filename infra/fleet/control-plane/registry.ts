import type { Pool } from 'pg';
import type { Heartbeat } from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import type { KeyList } from '../../platform/key-list.ts';
import { openCredential, sealCredential } from './credential.ts';

/** The nodes' last heartbeats. Not events: a lost row is restored by the next heartbeat. */
export const fleetMigrations = [
  {
    id: 'fleet-001-nodes',
    sql: `
      create schema if not exists ephemeral;
      create unlogged table ephemeral.nodes (
        node_id text primary key,
        url text not null,
        driver text not null,
        capacity integer not null,
        sessions text[] not null,
        draining boolean not null,
        sealed_credential bytea not null,
        heartbeat_at timestamptz not null
      );`,
  },
  {
    id: 'fleet-002-listening',
    sql: `
      create unlogged table ephemeral.fleet_listening (
        one boolean primary key default true check (one),
        since timestamptz not null,
        until timestamptz not null
      );`,
  },
  {
    // Sent at registration and not with each heartbeat, so it must survive a crash of Postgres.
    id: 'fleet-003-video',
    sql: `
      create schema if not exists fleet;
      create table fleet.node_videos (
        node_id text primary key,
        ws_url text not null,
        sealed_keys text not null
      );`,
  },
  {
    id: 'fleet-004-internal',
    sql: `alter table ephemeral.nodes add column internal text[] not null default '{}';`,
  },
  {
    id: 'fleet-005-instances',
    sql: `
      create unlogged table ephemeral.fleet_instances (
        instance text primary key,
        until timestamptz not null
      );`,
  },
  {
    id: 'fleet-006-clock',
    sql: `alter table ephemeral.nodes add column clock_ahead_ms float8[] not null default '{}';`,
  },
  {
    id: 'fleet-007-leaving',
    sql: `alter table ephemeral.nodes add column leaves_at timestamptz;`,
  },
] as const;

export interface NodeRow {
  readonly nodeId: NodeId;
  readonly url: string;
  readonly driver: 'webkit' | 'simulated';
  readonly capacity: number;
  readonly sessions: readonly SessionId[];
  readonly draining: boolean;
  /** Milliseconds since the last heartbeat, by the database's clock, so that clocks of processes may differ. */
  readonly ageMs: number;
  /** Milliseconds by which the node's clock is ahead of the database's; negative: behind. Null if it did not report it. */
  readonly clockAheadMs?: number | null;
  /** Milliseconds until the node ends its browsers at the latest; null unless it is being stopped and has said when. */
  readonly leavesInMs?: number | null;
}

/** Address and credential for calls of a node. */
export interface NodeAddress {
  readonly url: string;
  readonly credential: string;
}

export interface NodeRegistry {
  /**
   * `credential` is the heartbeat's bearer token; it is stored sealed. `sentAt`: by the node's clock. `leavesInMs`: as in `NodeRow`.
   * Returns the URL of the node's heartbeat before, to whichever process; undefined if there was none.
   */
  heartbeat(
    beat: Heartbeat,
    credential: string,
    sentAt?: Date,
    leavesInMs?: number,
  ): Promise<string | undefined>;
  list(): Promise<readonly NodeRow[]>;
  /** Addresses, as `host:port`, of parts of the installation on the nodes' machines. */
  internal(): Promise<readonly string[]>;
  /** Records that heartbeats of any node are taken for the next `forMs` milliseconds. */
  listening(forMs: number): Promise<void>;
  /** Records that this process takes heartbeats and tunnels for the next `forMs` milliseconds. */
  present(instance: string, forMs: number): Promise<void>;
  /** Ids of the processes that take heartbeats and tunnels. */
  instances(): Promise<readonly string[]>;
  /** Milliseconds for which heartbeats have been taken without interruption; 0 if they are not. */
  listeningForMs(): Promise<number>;
  address(node: NodeId): Promise<NodeAddress | undefined>;
  forget(node: NodeId): Promise<void>;
}

export interface NodeRegistryOptions {
  readonly pool: Pool;
  /** Of 32 bytes each, the same in every process of the control plane, and not in the database. */
  readonly sealingKeys: KeyList<Buffer>;
}

type Row = Omit<NodeRow, 'nodeId' | 'ageMs' | 'clockAheadMs' | 'leavesInMs'> & {
  node_id: NodeId;
  age_ms: number;
  clock_ahead_ms: number | null;
  leaves_in_ms: number | null;
};

export function createNodeRegistry({ pool, sealingKeys }: NodeRegistryOptions): NodeRegistry {
  return {
    heartbeat: async ({ node_id, url, status, internal = [] }, credential, sentAt, leavesIn) => {
      const { driver, capacity, sessions, draining } = status;
      const sealed = sealCredential(sealingKeys[0], node_id, credential);
      const values = [node_id, url, driver, capacity, sessions, draining, sealed, internal, sentAt, leavesIn];
      const { rows } = await pool.query<{ former_url: string | null }>({ ...upsert, values });
      return rows[0]?.former_url ?? undefined;
    },
    list: async () => {
      const { rows } = await pool.query<Row>(select);
      return rows.map(nodeRow);
    },
    internal: async () => {
      const statement = { ...selectInternal, query_timeout: addressLimitMs };
      const { rows } = await pool.query<{ place: string }>(statement);
      return rows.map(({ place }) => place);
    },
    listening: async (forMs) => void (await pool.query({ ...keepListening, values: [forMs] })),
    present: async (instance, forMs) =>
      void (await pool.query({ ...keepInstance, values: [instance, forMs] })),
    instances: async () => {
      const { rows } = await pool.query<{ instance: string }>(selectInstances);
      return rows.map(({ instance }) => instance);
    },
    listeningForMs: async () => {
      const { rows } = await pool.query<{ for_ms: number }>(selectListening);
      return rows[0]?.for_ms ?? 0;
    },
    address: async (node) => {
      const statement = { ...selectAddress, values: [node], query_timeout: addressLimitMs };
      const { rows } = await pool.query<{ url: string; sealed_credential: Buffer }>(statement);
      const row = rows[0];
      return row && { url: row.url, credential: openCredential(sealingKeys, node, row.sealed_credential) };
    },
    forget: async (node) => {
      await pool.query('delete from ephemeral.nodes where node_id = $1', [node]);
    },
  };
}

const nodeRow = ({ node_id, age_ms, clock_ahead_ms, leaves_in_ms, ...row }: Row): NodeRow => ({
  ...row,
  ...{ nodeId: node_id, ageMs: age_ms, clockAheadMs: clock_ahead_ms, leavesInMs: leaves_in_ms },
});

/** Milliseconds that a dispatch waits at most for an unresponsive Postgres. */
const addressLimitMs = 1000;

/**
 * Keeps the clock differences of the last three heartbeats. A slow heartbeat makes the node's clock seem to be behind,
 * so `select` returns the largest of them. The former URL is that before the statement.
 */
const upsert = {
  name: 'fleet-heartbeat',
  text: `
    with former as (select url from ephemeral.nodes where node_id = $1)
    insert into ephemeral.nodes as known
      (node_id, url, driver, capacity, sessions, draining, sealed_credential, internal, clock_ahead_ms, leaves_at,
      heartbeat_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8,
      array_remove(array[extract(epoch from $9::timestamptz - clock_timestamp())::float8 * 1000], null),
      clock_timestamp() + $10::float8 * interval '1 ms', clock_timestamp())
    on conflict (node_id) do update set
      url = excluded.url, driver = excluded.driver, capacity = excluded.capacity, sessions = excluded.sessions,
      draining = excluded.draining, sealed_credential = excluded.sealed_credential, internal = excluded.internal,
      clock_ahead_ms = (excluded.clock_ahead_ms || known.clock_ahead_ms)[1:3], leaves_at = excluded.leaves_at,
      heartbeat_at = excluded.heartbeat_at
    returning (select url from former) as former_url`,
} as const;

const select = {
  name: 'fleet-list',
  text: `
    select node_id, url, driver, capacity, sessions, draining,
      (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::float8 as age_ms,
      (select max(each) from unnest(clock_ahead_ms) as each) as clock_ahead_ms,
      (extract(epoch from leaves_at - clock_timestamp()) * 1000)::float8 as leaves_in_ms
    from ephemeral.nodes order by node_id`,
};

const selectInternal = {
  name: 'fleet-internal',
  text: 'select distinct unnest(internal) as place from ephemeral.nodes',
};

const keepListening = {
  name: 'fleet-keep-listening',
  text: `
    insert into ephemeral.fleet_listening as now (since, until)
    values (clock_timestamp(), clock_timestamp() + $1::float8 * interval '1 ms')
    on conflict (one) do update set
      since = case when now.until < excluded.since then excluded.since else now.since end,
      until = greatest(now.until, excluded.until)`,
} as const;

/** Stores an instance, and deletes those that have expired. */
const keepInstance = {
  name: 'fleet-keep-instance',
  text: `
    with ended as (
      delete from ephemeral.fleet_instances where until < clock_timestamp() and instance <> $1
    )
    insert into ephemeral.fleet_instances (instance, until)
    values ($1, clock_timestamp() + $2::float8 * interval '1 ms')
    on conflict (instance) do update set until = excluded.until`,
} as const;

const selectInstances = {
  name: 'fleet-instances',
  text: 'select instance from ephemeral.fleet_instances where until >= clock_timestamp() order by instance',
};

const selectListening = {
  name: 'fleet-listening',
  text: `
    select (extract(epoch from clock_timestamp() - since) * 1000)::float8 as for_ms
    from ephemeral.fleet_listening where until >= clock_timestamp()`,
};

const selectAddress = {
  name: 'fleet-address',
  text: 'select url, sealed_credential from ephemeral.nodes where node_id = $1',
};
