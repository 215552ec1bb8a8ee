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
  readonly opts: { readonly jobId: string; readonly delay: number };
}

/** The part of a BullMQ job that is used here. */
export interface TakenJob {
  readonly id?: string | undefined;
  /** Puts it back until `timestamp`, milliseconds since the epoch. The one to throw afterwards is `DelayedError`. */
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
}
export type Process = (job: TakenJob, token?: string) => Promise<void>;

interface Connecting {
  /** Resolves once it can be used; one that rejects never can, and has to be opened anew. */
  waitUntilReady(): Promise<unknown>;
}

/** The used part of a BullMQ queue, the same for each backend. */
export interface JobQueue extends Connecting {
  add(name: NewJob['name'], data: NewJob['data'], options: NewJob['opts']): Promise<unknown>;
  addBulk(jobs: NewJob[]): Promise<unknown>;
  readonly backend: {
    /** Makes a delayed job due. Rejects when it is not delayed. */
    promote(jobId: string): Promise<void>;
  };
  getJobCounts(): Promise<Readonly<Record<string, number>>>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
  /** Gives the connection up without a word to the other side. */
  disconnect(): Promise<void>;
}
export interface JobWorker extends Connecting {
  /** Takes jobs until it is closed. */
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

/** Where the queue lives, by the scheme of its address. */
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

/** BullMQ keeps its tables in a schema of their own, `bullmq`. */
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

/** BullMQ leaves a pool that it was given open. */
function endingWith<Connected extends JobQueue | JobWorker>(pool: PgPool, connected: Connected): Connected {
  const close = connected.close.bind(connected);
  let ended: Promise<void> | undefined;
  connected.close = () => close().then(() => (ended ??= pool.end()));
  return connected;
}

/** Statements at once, beside the connection on which BullMQ waits for notifications. */
const maxConnections = 5;
/** An idle connection is probed after this; BullMQ waits as long as it likes on one that is. */
const probeAfterMs = 10_000;

/**
 * The connections of one queue or worker. BullMQ takes a pool's clients without listening to their errors, and takes all
 * listeners off the one it waits with before it ends it: a connection that breaks just then would end the process.
 */
export function queuePool(url: string): PgPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeAfterMs,
    Client: ForgivingClient,
    onConnect: migratedOnce(),
  });
  // BullMQ's type of a pool lets its caller name any type of rows; that of `pg` asks for objects.
  return pool as PgPool;
}

/**
 * Brings the tables up to date on a pool's first connection, which BullMQ does only in pools of its own. The pool hands a
 * connection out once what this returns has resolved, and not at all when it rejects.
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
 * A client error without a listener is not an uncaught exception: its queries have failed with it, and the pool does
 * not use it again.
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
