import type pg from 'pg';
import type { Logger } from 'pino';
import type { Position } from '../event-store/types.ts';

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
   * to has already happened, so a note that fails (or takes longer than the deadline) is logged and counted instead.
   */
  note(accountId: string, position: Position): Promise<void>;
  /** Notes that were given up since the start. */
  failures(): number;
}

interface Options {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly deadlineMs?: number;
}

/** Notes of one turn of the event loop, and of the time the previous statement takes, share one statement. */
export function createAccountPositions({ pool, logger, deadlineMs = 1000 }: Options): AccountPositions {
  const write = writer(pool, deadlineMs);
  let pending = new Map<string, Position>();
  let queued: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let failures = 0;

  const raise = (accountId: string, position: Position): void => {
    const known = pending.get(accountId);
    if (known === undefined || isBefore(known, position)) pending.set(accountId, position);
  };

  const tryWrite = async (notes: Map<string, Position>): Promise<void> => {
    try {
      await write(notes);
    } catch (error) {
      failures += notes.size;
      logger.warn({ err: error, accounts: notes.size }, 'Account positions were not noted.');
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
      raise(accountId, position);
      raise(anyAccount, position);
      queued ??= flush();
      return queued;
    },
    failures: () => failures,
  };
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

const isBefore = (a: Position, b: Position): boolean =>
  a.commit < b.commit || (a.commit === b.commit && a.prepare < b.prepare);
