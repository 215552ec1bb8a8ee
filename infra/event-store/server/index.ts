import { mkdirSync } from 'node:fs';
import { Server } from '@grpc/grpc-js';
import { lockDirectory, type DirectoryLock } from '../../platform/directory-lock.ts';
import { eventStoreUser } from './access.ts';
import { Connections } from './connections.ts';
import { EventLog } from './event-log.ts';
import { noFaults, type Faults } from './faults.ts';
import { LogSignals } from './log-signals.ts';
import { LogWriter } from './log-writer.ts';
import type { ProposedEvent } from './record.ts';
import { addServices } from './services.ts';

export type { Faults } from './faults.ts';

/** In bytes. An append has a much lower limit, but the client splits it into messages of up to 3 MiB. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
/** Grace of running calls on close, in milliseconds. */
const CLOSE_GRACE_MS = 200;

/** Without TLS it only serves this machine. */
const host = '127.0.0.1';

export interface EventStoreServerOptions {
  /** Created if missing. Locked by one server at a time. */
  readonly dataDir: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Password of the user `service`; without one any process on this machine can read and write. */
  readonly password?: string | undefined;
  /** For tests: initial faults. */
  readonly faults?: Partial<Faults>;
  /**
   * For tests: fails an append of an id that its stream has. EventStoreDB stores such an event again, where two different commands
   * were given one id.
   */
  readonly uniqueIds?: boolean;
}

export interface EventStoreServer {
  /** Connection string for an EventStoreDB client, with the password. */
  readonly url: string;
  readonly port: number;
  /** For tests: may be changed at any time. */
  readonly faults: Faults;
  /** For tests: stores events unchecked, including ones that no client would send. */
  appendUnchecked(stream: string, events: readonly ProposedEvent[]): Promise<void>;
  /** For tests: breaks every connection with a TCP reset. */
  resetConnections(): void;
  /** Waits for pending writes to be flushed, then stops. Idempotent. */
  close(): Promise<void>;
}

/** Another process has locked the data directory. */
export class DataDirectoryHeld extends Error {
  override readonly name = 'DataDirectoryHeld';
  readonly pid: string;

  constructor(dataDir: string, pid: string) {
    super(`The event store's data directory ${dataDir} is in use by process ${pid}. Stop that one first.`);
    this.pid = pid;
  }
}

/**
 * Starts an event store with EventStoreDB's gRPC protocol: streams, `$all`, subscriptions, metadata, deletes. An acknowledged
 * append is on disk. It serves what the service uses of the protocol, and so no persistent subscriptions, projections, further users or operations.
 *
 * @throws DataDirectoryHeld if another server has the directory
 */
export async function startEventStoreServer(options: EventStoreServerOptions): Promise<EventStoreServer> {
  const { dataDir, port = 0, password, uniqueIds = false } = options;
  const lock = await lockMade(dataDir);
  const log = new EventLog(dataDir);
  const faults = Object.assign(noFaults(), options.faults);
  const signals = new LogSignals();
  const writer = new LogWriter(log, signals, uniqueIds);
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  const connections = new Connections(server, faults);
  const endpoint = { host, port };
  addServices(server, { log, signals, writer, faults, endpoint }, password);
  try {
    endpoint.port = await connections.listen(host, port);
  } catch (error) {
    await log.close();
    lock.release();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await shutDown(server);
    await connections.close();
    await writer.settled();
    await log.close();
    lock.release();
  };
  return {
    url: `esdb://${password === undefined ? '' : `${eventStoreUser}:${encodeURIComponent(password)}@`}${host}:${endpoint.port}?tls=false`,
    port: endpoint.port,
    faults,
    appendUnchecked: async (stream, events) => {
      await writer.write((group) => {
        const position = group.appendUnchecked(stream, events);
        return { kind: 'written', revision: events.length, position };
      });
    },
    resetConnections: () => connections.reset(),
    close: () => (closing ??= close()),
  };
}

async function lockMade(dataDir: string): Promise<DirectoryLock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(dataDir);
  if (typeof lock === 'string') throw new DataDirectoryHeld(dataDir, lock);
  return lock;
}

async function shutDown(server: Server): Promise<void> {
  const force = setTimeout(() => server.forceShutdown(), CLOSE_GRACE_MS);
  await new Promise((resolve) => server.tryShutdown(resolve));
  clearTimeout(force);
}
