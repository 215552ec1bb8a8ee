import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { NodeId } from '../../../contracts/ids.ts';
import { bounds, http2Options, superviseTunnel, TunnelConnection } from './http2.ts';
import type { NodeTunnels } from './node-agent.ts';

export interface TunnelsOptions {
  readonly logger: Logger;
  /** Milliseconds that a connection waits for the node to open its tunnel, or to reopen it. */
  readonly waitMs?: number;
}

interface Tunnel {
  readonly session: ClientHttp2Session;
  connections: number;
}

/** The tunnels that nodes have opened to this process. */
export class Tunnels implements NodeTunnels {
  /** Id of this process, by which nodes distinguish the processes that they have tunnels to. */
  readonly instance = randomUUID();
  readonly #options: Required<TunnelsOptions>;
  readonly #byNode = new Map<NodeId, Tunnel>();
  /** Emits a node's id when its tunnel is open. */
  readonly #opened = new EventEmitter().setMaxListeners(0);

  constructor(options: TunnelsOptions) {
    this.#options = { waitMs: 5_000, ...options };
  }

  get size(): number {
    return this.#byNode.size;
  }

  has(node: NodeId): boolean {
    return this.#byNode.has(node);
  }

  /**
   * Accepts a connection that the node has opened. It becomes the node's tunnel once the node speaks HTTP/2 on it; a
   * node that already has a tunnel to this process closes the connection instead. So an earlier tunnel must be broken:
   * it is replaced, and ends with its last connection.
   */
  accept(node: NodeId, socket: Duplex): void {
    const { logger } = this.#options;
    const session = connect(`http://${node}`, { ...http2Options, createConnection: () => socket });
    superviseTunnel(session, socket);
    session.once('remoteSettings', () => {
      session.setLocalWindowSize(bounds.window);
      this.#byNode.get(node)?.session.close();
      this.#byNode.set(node, { session, connections: 0 });
      this.#opened.emit(node);
      logger.info({ node_id: node }, 'A node has opened a tunnel.');
    });
    session.once('close', () => {
      if (this.#byNode.get(node)?.session !== session) return;
      this.#byNode.delete(node);
      logger.warn({ node_id: node }, 'The tunnel of a node is closed.');
    });
  }

  async connect(node: NodeId): Promise<Duplex> {
    const tunnel = this.#byNode.get(node) ?? (await this.#whenOpened(node));
    if (tunnel.connections >= bounds.connections) throw new Error('The tunnel of the node is full.');
    const stream = tunnel.session.request({ ':method': 'CONNECT', ':authority': node });
    tunnel.connections += 1;
    stream.once('close', () => (tunnel.connections -= 1));
    const connection = new TunnelConnection(stream);
    await answered(stream);
    return connection;
  }

  close(): void {
    for (const { session } of this.#byNode.values()) session.destroy();
  }

  async #whenOpened(node: NodeId): Promise<Tunnel> {
    await once(this.#opened, node, { signal: AbortSignal.timeout(this.#options.waitMs) }).catch(
      () => undefined,
    );
    const tunnel = this.#byNode.get(node);
    if (tunnel === undefined) throw new Error('There is no tunnel to the node.');
    return tunnel;
  }
}

const answered = (stream: ReturnType<ClientHttp2Session['request']>): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('response', () => resolve());
    stream.once('close', () => reject(new Error('The tunnel of the node broke.')));
  });
