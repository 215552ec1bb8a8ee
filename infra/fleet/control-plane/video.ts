import type { Pool } from 'pg';
import type { Register } from '../../../contracts/fleet/protocol.ts';
import type { NodeId } from '../../../contracts/ids.ts';
import { Type, closed, type Static } from '../../../contracts/schema.ts';
import { SealUnreadable, type Vault } from '../../vault/index.ts';
import { shape } from '../shape.ts';

const Keys = closed({ api_key: Type.String(), api_secret: Type.String() });
const isKeys = shape(Keys);

/** The key of tokens for a node's browsers, and the URL that accepts them. */
export interface NodeVideo extends Static<typeof Keys> {
  readonly wsUrl: string;
}

/** Whether the node shows its browsers itself, through the gateway: then the name of its key is the node's id. */
export const isOwnVideo = (node: NodeId, { api_key }: Pick<NodeVideo, 'api_key'>): boolean =>
  api_key === node;

/** Where clients can watch the nodes' browsers. Keys of tokens are sealed, with a different key for each node. */
export interface NodeVideos {
  /** Replaces the node's earlier registration; undefined: it shows no video any more. */
  keep(node: NodeId, video: Register['video']): Promise<void>;
  /** The node's entry or, without an id, that of a live node. Undefined if there is none, or if its secret cannot be opened. */
  find(node: NodeId | undefined): Promise<NodeVideo | undefined>;
}

export interface NodeVideosOptions {
  readonly pool: Pool;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Milliseconds without a heartbeat after which a node counts as gone. */
  readonly liveMs?: number;
}

interface Row {
  readonly node_id: NodeId;
  readonly ws_url: string;
  readonly sealed_keys: string;
}

/** Name of the sealed field. */
const field = 'video';

export function createNodeVideos({ pool, vault, liveMs = 15_000 }: NodeVideosOptions): NodeVideos {
  return {
    keep: async (node, video) => {
      if (video === undefined) {
        await pool.query({ ...remove, values: [node] });
        return;
      }
      const { ws_url, ...keys } = video;
      const sealed = await vault.seal(node, field, JSON.stringify(keys));
      await pool.query({ ...upsert, values: [node, ws_url, sealed] });
    },
    find: async (node) => {
      const statement = node === undefined ? { ...ofLiving, values: [liveMs] } : { ...ofOne, values: [node] };
      const { rows } = await pool.query<Row>(statement);
      for (const row of rows) {
        const keys = await openKeys(vault, row);
        if (keys) return { wsUrl: row.ws_url, ...keys };
      }
      return undefined;
    },
  };
}

async function openKeys(vault: Pick<Vault, 'open'>, { node_id, sealed_keys }: Row) {
  try {
    const opened = await vault.open(node_id, field, sealed_keys);
    const keys: unknown = 'text' in opened ? JSON.parse(opened.text) : undefined;
    return isKeys.is(keys) ? keys : undefined;
  } catch (error) {
    if (error instanceof SealUnreadable) return undefined;
    throw error;
  }
}

const remove = { name: 'fleet-remove-video', text: 'delete from fleet.node_videos where node_id = $1' };

const upsert = {
  name: 'fleet-keep-video',
  text: `
    insert into fleet.node_videos (node_id, ws_url, sealed_keys) values ($1, $2, $3)
    on conflict (node_id) do update set ws_url = excluded.ws_url, sealed_keys = excluded.sealed_keys`,
};

const columns = 'node_id, ws_url, sealed_keys';

const ofOne = { name: 'fleet-video', text: `select ${columns} from fleet.node_videos where node_id = $1` };

/** Nodes that take new sessions come first. */
const ofLiving = {
  name: 'fleet-videos',
  text: `
    select ${columns} from fleet.node_videos join ephemeral.nodes using (node_id)
    where heartbeat_at > clock_timestamp() - $1::float8 * interval '1 ms'
    order by draining, node_id`,
};
