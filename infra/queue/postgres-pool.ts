import { DEFAULT_SCHEMA, runMigrations, type PgPool } from 'bullmq';
import pg from 'pg';

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
 * A client whose error nobody listens to is not an uncaught exception: its queries have failed with it, and the pool does
 * not use it again.
 */
class ForgivingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // For what listens, an error is an event as any other.
    const emit = this.emit.bind(this);
    this.emit = (event: string | symbol, ...args: unknown[]): boolean =>
      (event !== 'error' || this.listenerCount('error') > 0) && emit(event, ...args);
  }
}
