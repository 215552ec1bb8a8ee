import {
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type PgPool,
  Queue,
  type QueueOptions,
  runMigrations,
  withBackend,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';

export interface NewJob {
  readonly name: string;
  readonly data: object;
  readonly opts: { readonly jobId: string; readonly delay: number; readonly priority: number };
}

/** The used part of a BullMQ job. */
export interface QueuedJob {
  readonly id?: string | undefined;
  /** Delays it until `timestamp`, milliseconds since the epoch. The caller must then throw `DelayedError`. */
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
}
export type Process = (job: QueuedJob, token?: string) => Promise<void>;

interface Connecting {
  /** Resolves once usable. After a rejection it must be opened again. */
  waitUntilReady(): Promise<unknown>;
}

/** The used part of a BullMQ queue, the same for each backend. */
export interface JobQueue extends Connecting {
  add(name: NewJob['name'], data: NewJob['data'], options: NewJob['opts']): Promise<unknown>;
  addBulk(jobs: NewJob[]): Promise<unknown>;
  readonly backend: {
    /** Makes a delayed job due. Rejects if it is not delayed. */
    promote(jobId: string): Promise<void>;
  };
  getJobCounts(): Promise<Readonly<Record<string, number>>>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
  /** Drops the connection without a handshake. */
  disconnect(): Promise<void>;
}
export interface JobWorker extends Connecting {
  /** Processes jobs until it is closed. */
  run(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: { readonly id?: string } | undefined, error: Error) => void): unknown;
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

export interface Backend {
  queue(name: string, options: Omit<QueueOptions, 'connection'>): JobQueue;
  worker(name: string, process: Process, options: Omit<WorkerOptions, 'connection'>): JobWorker;
}

const OnPostgres = withBackend(createPostgresBackend);

/** Backends by URL scheme. */
const backends: Readonly<Record<string, (url: string) => Backend>> = {
  redis: redisBackend,
  rediss: redisBackend,
  postgres: postgresBackend,
  postgresql: postgresBackend,
};

export function backendFor(url: string): Backend {
  const scheme = url.slice(0, url.indexOf(':'));
  const backend = backends[scheme];
  if (backend === undefined) throw new TypeError(`A queue cannot live at a ${scheme}: address.`);
  return backend(url);
}

function redisBackend(url: string): Backend {
  return {
    queue: (name, options) => new Queue(name, { ...options, connection: { url } }),
    worker: (name, process, options) => new Worker(name, process, { ...options, connection: { url } }),
  };
}

/** BullMQ has its tables in its own schema, `bullmq`. */
function postgresBackend(url: string): Backend {
  return {
    queue: (name, options) => {
      const connection = queuePool(url);
      return endingWith(connection, new OnPostgres.Queue(name, { ...options, connection }));
    },
    worker: (name, process, options) => {
      const connection = queuePool(url);
      return endingWith(connection, new OnPostgres.Worker(name, process, { ...options, connection }));
    },
  };
}

/** Closes the pool too, which BullMQ leaves open if it was passed in. */
function endingWith<Connected extends JobQueue | JobWorker>(pool: PgPool, connected: Connected): Connected {
  const close = connected.close.bind(connected);
  let ended: Promise<void> | undefined;
  connected.close = () => close().then(() => (ended ??= pool.end()));
  return connected;
}

/** Maximum concurrent statements, beside the connection on which BullMQ waits for notifications. */
const maxConnections = 5;
/** Idle time until a keepalive probe. */
const probeAfterMs = 10_000;
/** Timeout of a statement's answer, and of a connection; BullMQ itself has none. Only a silent network takes as long. */
const defaultAnswerMs = 16_000;

/**
 * The connections of one queue or worker. BullMQ adds no error listeners to a pool's clients, and removes all listeners
 * from its waiting connection before it ends that one. A connection that breaks at such a moment would end the process;
 * `ForgivingClient` prevents that.
 */
export function queuePool(url: string, answerMs = defaultAnswerMs): PgPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeAfterMs,
    Client: ForgivingClient,
    onConnect: migratedOnce(),
  });
  // BullMQ's type of a pool has free row types; that of `pg` requires objects.
  return keepingConnections(pool as PgPool);
}

/**
 * Keeps the connection of a statement that is refused, which a pool of `pg` would close. BullMQ's statements fail in
 * normal use, for example when a job is promoted that is not delayed, or completed that another worker has. A new
 * connection for each of them would slow down the processing of a backlog.
 */
function keepingConnections(pool: PgPool): PgPool {
  pool.query = async (text, parameters) => {
    const client = await pool.connect();
    try {
      const result = await client.query(text, parameters);
      client.release();
      return result;
    } catch (error) {
      client.release(!wasRefused(error));
      throw error;
    }
  };
  return pool;
}

/** SQLSTATE of a server that takes no changes, such as a standby after a failover: connections to it are of no more use. */
const readOnly = '25006';

/** True if only the statement failed. */
const wasRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== readOnly;

/**
 * Migrates the tables on a pool's first connection. BullMQ does that only for its own pools. The pool makes a
 * connection available once the result has resolved, and discards it if the result rejects.
 */
function migratedOnce(): (client: pg.ClientBase) => unknown {
  let migrated: Promise<unknown> | undefined;
  return (client) =>
    (migrated ??= runMigrations(client).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    }));
}

/**
 * A client whose errors without a listener are no uncaught exceptions. Its queries have failed with the error, and the
 * pool does not reuse it.
 */
class ForgivingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // Listeners receive an error like any other event.
    const emit = this.emit.bind(this);
    this.emit = (event: string | symbol, ...args: unknown[]): boolean =>
      (event !== 'error' || this.listenerCount('error') > 0) && emit(event, ...args);
  }
}
