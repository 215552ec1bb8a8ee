import pg from 'pg';
import { until } from '../testbed/until.ts';
import { addresses, hidden, nodeNames, type NodeName } from './places.ts';

/** A node by its last heartbeat. */
export interface NodeView {
  readonly id: string;
  readonly sessions: readonly string[];
  readonly draining: boolean;
  readonly ageMs: number;
}

/** The control plane's table of nodes, of which customers see nothing. */
export interface RegistryView {
  node(name: NodeName): Promise<NodeView | undefined>;
  /** The node that has this session. */
  nodeOf(session: string): Promise<NodeName>;
  close(): Promise<void>;
}

interface Row {
  readonly node_id: string;
  readonly url: string;
  readonly sessions: readonly string[];
  readonly draining: boolean;
  readonly age_ms: number;
}

/** `directory`: where the socket of Postgres is. */
export function openRegistryView(directory: string, password: string): RegistryView {
  const pool = new pg.Pool({
    ...{ host: directory, user: 'service', password, database: 'postgres', max: 1 },
  });
  pool.on('error', () => undefined);
  const nodes = async () => {
    const { rows } = await pool.query<Row>(
      `select node_id, url, sessions, draining,
         (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::float8 as age_ms
       from ephemeral.nodes`,
    );
    return rows.map(({ node_id: id, url, age_ms: ageMs, ...row }) => ({
      ...{ id, ageMs, ...row },
      name: nodeNames.find((name) => url.includes(`//${addresses[name]}:`)) ?? hidden,
    }));
  };
  return {
    node: async (wanted) => (await nodes()).find(({ name }) => name === wanted),
    nodeOf: (session) =>
      until(async () => (await nodes()).find(({ sessions }) => sessions.includes(session))?.name),
    close: () => pool.end(),
  };
}
