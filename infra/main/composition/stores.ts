import type pg from 'pg';
import { createRunner, type Runner } from '../../../commands/engine/runner.ts';
import { need } from '../../config/index.ts';
import { connectEventStore, type EventStore } from '../../event-store/client/index.ts';
import { connectPostgres, type Postgres, type PostgresOptions } from '../../postgres/index.ts';
import type { RoleContext } from '../roles/role.ts';

type Opening = Pick<RoleContext, 'config' | 'logger' | 'lifetime'>;

export function openPostgres(
  { config, logger, lifetime }: Opening,
  applicationName: string,
  options: Pick<PostgresOptions, 'hasty' | 'maxConnections'> = {},
): Postgres {
  const postgres = connectPostgres({
    url: need(config, 'POSTGRES_URL'),
    logger,
    maxConnections: config.POSTGRES_POOL_SIZE,
    applicationName,
    ...options,
  });
  lifetime.defer('postgres pool', () => postgres.close());
  return postgres;
}

export function openEventStore({ config, logger, lifetime }: Opening): EventStore {
  const store = connectEventStore({
    url: need(config, 'EVENTSTORE_URL'),
    logger,
    appendDeadlineMs: config.APPEND_DEADLINE,
  });
  lifetime.defer('event store', () => store.close());
  return store;
}

export const openRunner = ({ config, logger }: Opening, store: EventStore): Runner =>
  createRunner({ store, logger, cacheEntries: config.STATE_CACHE });

/** What nearly every role needs before it can serve. */
export const storeChecks = (pool: pg.Pool, store: EventStore) => ({
  postgres: () => pool.query('select 1'),
  'event-store': () => store.ping(),
});
