import type pg from 'pg';
import type { Logger } from 'pino';
import { isAfter } from '../event-store/client/position.ts';
import type { Position } from '../event-store/client/types.ts';

/** The row that carries the highest position noted for any account: what an unknown credential must wait for. */
export const anyAccount = '*';

const upsert = `
  insert into ephemeral.account_positions as noted (account_id, commit_position, prepare_position)
  select * from unnest($1::text[], $2::bigint[], $3::bigint[])
  on conflict (account_id) do update
    set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position
    where (noted.commit_position, noted.prepare_position) < (excluded.commit_position, excluded.prepare_position)`;

export interface AccountPositions {
  /**
   * Makes the account's reads wait for this position. Resolves when it is noted, and never rejects: the write it belongs
   * to has already happened, so a note that fails (or takes longer than the deadline) is not waited for. It is counted and
   * tried again until it is noted, so that readers hear of it as soon as Postgres is back.
   */
  note(accountId: string, position: Position): Promise<void>;
  /** Attempts to note something that failed since the start. */
  failures(): number;
}

interface Options {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly deadlineMs?: number;
}

const retryMs = 100;

/** Notes of one turn of the event loop, and of the time the previous statement takes, share one statement. */
export function createAccountPositions({ pool, logger, deadlineMs = 1000 }: Options): AccountPositions {
  const write = writer(pool, deadlineMs);
  let pending = new Map<string, Position>();
  let queued: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let failures = 0;
  let isFailing = false;

  const tryWrite = async (notes: Map<string, Position>): Promise<void> => {
    try {
      await write(notes);
      isFailing = false;
    } catch (error) {
      failures += 1;
      if (!isFailing)
        logger.warn({ err: error, accounts: notes.size }, 'Account positions are not noted yet.');
      isFailing = true;
      for (const [accountId, position] of notes) raise(pending, accountId, position);
      setTimeout(() => void (queued ??= flush()), retryMs).unref();
    }
  };

  const flush = async (): Promise<void> => {
    await writing;
    await new Promise<void>((resolve) => setImmediate(resolve));
    const notes = pending;
    pending = new Map();
    queued = undefined;
    writing = tryWrite(notes);
    await writing;
  };

  return {
    note(accountId, position) {
      raise(pending, accountId, position);
      raise(pending, anyAccount, position);
      queued ??= flush();
      return queued;
    },
    failures: () => failures,
  };
}

function raise(notes: Map<string, Position>, accountId: string, position: Position): void {
  const known = notes.get(accountId);
  if (known === undefined || isAfter(position, known)) notes.set(accountId, position);
}

const writer =
  (pool: pg.Pool, deadlineMs: number) =>
  async (notes: Map<string, Position>): Promise<void> => {
    // Sorted, so that two processes never lock the same rows in opposite orders.
    const rows = [...notes].sort(([a], [b]) => (a < b ? -1 : 1));
    const statement = {
      name: 'note-account-positions',
      text: upsert,
      values: [
        rows.map(([id]) => id),
        rows.map(([, { commit }]) => String(commit)),
        rows.map(([, { prepare }]) => String(prepare)),
      ],
      query_timeout: deadlineMs,
    };
    await pool.query(statement);
  };
