import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { instanceHeader, pathOf, tunnelProtocol, tunnelRoutes } from '../../../contracts/fleet/protocol.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { waitBackOff, type BackOff } from '../../platform/back-off.ts';
import { requestUpgrade, UpgradeRefused } from '../../platform/upgrade.ts';
import { bounds, flushed, http2Options, superviseTunnel, TunnelConnection } from './http2.ts';

export interface DiallingOptions {
  /** URL of write-api: of one process, or of a balancer before several. */
  readonly url: string;
  /** The node's credential. */
  readonly credential: string;
  /** Serves the connections that arrive by the tunnels; it need not listen. */
  readonly server: Server;
  readonly logger: Logger;
  readonly tls?: InternalTls | undefined;
}

/** Milliseconds that write-api may take to answer. */
const limitMs = 5_000;
const backOff: BackOff = { firstMs: 100, longestMs: 2_000, jitter: 0.3 };
/**
 * A tunnel that ends within so many milliseconds counts as a failed attempt. More than the longest pause: two processes with one credential
 * end each other's tunnel.
 */
const shortMs = 5_000;
/** Short-lived tunnels in a row after which a warning is logged. */
const suspicious = 3;

/**
 * A node's tunnels, one to each write-api process. `instancesAre` sets the processes; until then one tunnel is enough. A lost tunnel is
 * reopened at once, then with a back-off, as long as its process is among them; one that was open only for a moment, with a back-off.
 */
export class Dialling {
  readonly #options: DiallingOptions;
  readonly #agent: Agent;
  readonly #tunnels = new Map<string, ServerHttp2Session>();
  readonly #closing = new AbortController();
  readonly #events = new EventEmitter();
  #instances: readonly string[] = [];
  #isUnknown = false;
  /** Tunnels in a row that ended a moment after they were opened. */
  #shortLived = 0;
  #dialling: Promise<void> = Promise.resolve();

  constructor(options: DiallingOptions) {
    this.#options = options;
    this.#agent = new Agent(options.tls ? { connect: options.tls.connect } : {});
  }

  get size(): number {
    return this.#tunnels.size;
  }

  /** Whether the control plane did not know the node at the last attempt: the node must register. */
  get isUnknown(): boolean {
    return this.#isUnknown;
  }

  start(): void {
    this.#dialling = this.#keepDialling();
  }

  instancesAre(instances: readonly string[]): void {
    this.#instances = instances;
    this.#events.emit('change');
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // Rejects a running upgrade.
    await this.#agent.destroy();
    await this.#dialling;
    for (const session of this.#tunnels.values()) session.destroy();
  }

  /** Whether each known process has a tunnel. */
  #isComplete(): boolean {
    return this.size > 0 && this.#instances.every((instance) => this.#tunnels.has(instance));
  }

  async #keepDialling(): Promise<void> {
    const { signal } = this.#closing;
    const isClosing = () => signal.aborted;
    let failed = 0;
    while (!isClosing()) {
      if (this.#isComplete()) {
        failed = 0;
        await once(this.#events, 'change', { signal }).catch(() => undefined);
      } else {
        const tries = failed + this.#shortLived;
        if (tries > 0) await waitBackOff(backOff, tries - 1, { signal }).catch(() => undefined);
        if (isClosing()) return;
        failed = (await this.#dial()) ? 0 : failed + 1;
      }
    }
  }

  /** False if no tunnel was opened, or only a second one to a process that has one. */
  async #dial(): Promise<boolean> {
    const { url, credential, logger } = this.#options;
    try {
      const { headers, socket } = await requestUpgrade(this.#agent, {
        url: new URL(pathOf(tunnelRoutes.open), url),
        protocol: tunnelProtocol,
        headers: { authorization: `Bearer ${credential}` },
        limitMs,
      });
      this.#isUnknown = false;
      // Nobody else listens before the tunnel is open.
      socket.on('error', () => socket.destroy());
      await flushed(socket);
      const instance = String(headers[instanceHeader]);
      const isNew = !this.#closing.signal.aborted && !this.#tunnels.has(instance);
      if (isNew) this.#open(instance, socket);
      else socket.destroy();
      return isNew;
    } catch (error) {
      this.#isUnknown = error instanceof UpgradeRefused && error.status === 401;
      if (!this.#closing.signal.aborted)
        logger.warn({ err: error }, 'A tunnel to the control plane could not be opened.');
      return false;
    }
  }

  #open(instance: string, socket: Duplex): void {
    const session = performServerHandshake(socket, http2Options);
    superviseTunnel(session, socket);
    session.setLocalWindowSize(bounds.window);
    session.on('stream', (stream) => {
      if (stream.destroyed) return;
      stream.respond({ ':status': 200 });
      this.#options.server.emit('connection', new TunnelConnection(stream));
    });
    this.#tunnels.set(instance, session);
    const openedAt = performance.now();
    session.once('close', () => {
      this.#tunnels.delete(instance);
      this.#closed(performance.now() - openedAt);
      this.#events.emit('change');
    });
  }

  #closed(openMs: number): void {
    this.#shortLived = openMs < shortMs ? this.#shortLived + 1 : 0;
    if (this.#shortLived === suspicious && !this.#closing.signal.aborted)
      this.#options.logger.warn(
        "Tunnels end right after they were opened. Another process may have this node's credential, as on a copy of its machine: " +
          'remove `DATA_DIR/node/credential` there.',
      );
  }
}
