import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';

/**
 * The row of a permit is its lock: of several processes that try the same slot one inserts it, or takes it over after its lease,
 * and the others retry. Slots are tried in random order to avoid conflicts.
 */
const acquire = `
  with free as (
    select slot from generate_series(1, $2::integer) as every (slot)
    where not exists (
      select from ephemeral.permits as held
      where held.key = $1 and held.slot = every.slot and held.expires_at > now()
    )
    order by random() limit 1
  ), taken as (
    insert into ephemeral.permits as held (key, slot, holder, expires_at)
    select $1, slot, $3, now() + $4 * interval '1 millisecond' from free
    on conflict (key, slot) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where held.expires_at <= now()
    returning slot
  )
  select free.slot is null as full, taken.slot
  from (select 1) as always left join free on true left join taken on true`;

/** Also renews permits lost by a crash of Postgres, but none acquired by another process since. */
const renew = `
  insert into ephemeral.permits as held (key, slot, holder, expires_at)
  select key, slot, $3, now() + $4 * interval '1 millisecond' from unnest($1::text[], $2::integer[]) as mine (key, slot)
  on conflict (key, slot) do update set holder = excluded.holder, expires_at = excluded.expires_at
  where held.holder = excluded.holder or held.expires_at <= now()`;

const drop = 'delete from ephemeral.permits where key = $1 and slot = $2 and holder = $3';

/** One permit of a key. */
export interface Permit {
  /** Idempotent, and never fails: a lost release ends with the lease. */
  release(): void;
}

/** A counting semaphore per key, over all processes. */
export interface Semaphore {
  /** Null if all permits of the key are taken. */
  acquire(key: string): Promise<Permit | null>;
  /** Releases everything that this process holds. */
  close(): Promise<void>;
}

interface Options {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Permits per key. */
  readonly permits: number;
  /** Lease of a permit, after which a dead process's permits are free, in milliseconds, by the clock of Postgres. */
  readonly leaseMs?: number;
  readonly renewMs?: number;
}

/**
 * Permits are leases in an ephemeral table. After a suspension of a process, or an outage of Postgres, longer than the lease, a
 * key may temporarily have more permits taken than allowed.
 */
export function createSemaphore({
  pool,
  logger,
  permits,
  leaseMs = 10_000,
  renewMs = leaseMs / 3,
}: Options): Semaphore {
  const holder = randomUUID();
  const held = new Set<Held>();
  const warn = (error: unknown) => logger.warn({ err: error }, 'Permits were not renewed or released.');

  const renewAll = async (): Promise<void> => {
    if (held.size === 0) return;
    const mine = [...held];
    const values = [mine.map(({ key }) => key), mine.map(({ slot }) => slot), holder, leaseMs];
    await pool.query({ name: 'renew-permits', text: renew, values }).catch(warn);
  };
  const renewing = setInterval(() => void renewAll(), renewMs).unref();

  const hold = (key: string, slot: number): Permit => {
    const mine = { key, slot };
    held.add(mine);
    const release = () => {
      if (!held.delete(mine)) return;
      pool.query({ name: 'release-permit', text: drop, values: [key, slot, holder] }).catch(warn);
    };
    return { release };
  };

  return {
    async acquire(key) {
      const slot = await takeSlot(pool, [key, permits, holder, leaseMs]);
      return slot === null ? null : hold(key, slot);
    },
    async close() {
      clearInterval(renewing);
      held.clear();
      await pool.query('delete from ephemeral.permits where holder = $1', [holder]).catch(warn);
    },
  };
}

interface Held {
  readonly key: string;
  readonly slot: number;
}

async function takeSlot(pool: pg.Pool, values: unknown[]): Promise<number | null> {
  for (;;) {
    const { rows } = await pool.query<{ full: boolean; slot: number | null }>({
      name: 'acquire-permit',
      text: acquire,
      values,
    });
    const [row] = rows;
    if (row === undefined || row.full) return null;
    if (row.slot !== null) return row.slot;
  }
}
