import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import { Cache } from '../platform/cache.ts';
import type { RecorderPorts } from './recorder.ts';

/** An account's use of a deprecated entry, on a day in UTC. */
export interface RecordedUse {
  readonly accountId: AccountId;
  readonly deprecationId: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

const insert = `
  insert into ephemeral.deprecated_uses (account_id, deprecation_id, day) values ($1, $2, $3)
  on conflict do nothing`;

export interface DeprecatedUses {
  /** Runs in the background and never fails the request. A process writes once per account, entry and day. */
  record(accountId: AccountId, deprecationId: string): void;
}

/** Uses of deprecated entries, until the process host has made events of them. */
export function createDeprecatedUses({ pool, clock, logger }: RecorderPorts): DeprecatedUses {
  /** Written uses. An evicted one is written again, which changes nothing. */
  const written = new Cache<string, true>();
  return {
    record(accountId, deprecationId) {
      const day = clock.now().toISOString().slice(0, 10);
      const key = `${accountId} ${deprecationId} ${day}`;
      if (written.get(key)) return;
      written.set(key, true);
      const values = [accountId, deprecationId, day];
      pool.query({ name: 'note-deprecated-use', text: insert, values }).catch((error: unknown) => {
        // The next use retries.
        written.delete(key);
        logger.debug({ err: error }, 'A use of a deprecated route or field was not recorded.');
      });
    },
  };
}

/** Uses without an event, in a fixed order, starting behind `after`. */
export async function recordedUses(
  pool: Pick<pg.Pool, 'query'>,
  limit: number,
  after?: RecordedUse,
): Promise<readonly RecordedUse[]> {
  const { rows } = await pool.query<RecordedUse>(
    `select account_id as "accountId", deprecation_id as "deprecationId", to_char(day, 'YYYY-MM-DD') as day
     from ephemeral.deprecated_uses where (day, account_id, deprecation_id) > ($2, $3, $4)
     order by day, account_id, deprecation_id limit $1`,
    [limit, after?.day ?? '-infinity', after?.accountId ?? '', after?.deprecationId ?? ''],
  );
  return rows;
}

/** Deletes a use that has an event. */
export async function forgetUse(
  pool: Pick<pg.Pool, 'query'>,
  { accountId, deprecationId, day }: RecordedUse,
): Promise<void> {
  await pool.query(
    'delete from ephemeral.deprecated_uses where account_id = $1 and deprecation_id = $2 and day = $3',
    [accountId, deprecationId, day],
  );
}
