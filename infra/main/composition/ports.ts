import type pg from 'pg';
import type { Runner } from '../../../commands/engine/runner.ts';
import type { AccessTokens } from '../../credentials/access-tokens.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { createFleet } from '../../fleet/control-plane/client.ts';
import type { NodeRegistry } from '../../fleet/control-plane/registry.ts';
import type { Peppers } from '../../keys/index.ts';
import { sealedStore } from '../../personal/sealed-store.ts';
import type { Postgres } from '../../postgres/index.ts';
import type { Vault } from '../../vault/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { onceAnswered } from './once-answered.ts';
import { openPeppers, registerKeys } from './secrets.ts';
import {
  openAccessTokens,
  openEventStore,
  openPostgres,
  openRegistry,
  openRunner,
  openVault,
} from './stores.ts';

/** The stores of a process. */
export interface Stores extends RoleContext {
  readonly postgres: Postgres;
  readonly pool: pg.Pool;
  /** The events as they are stored: what is personal in them is sealed. */
  readonly record: EventStore;
}

/** And what it opens, recognises and signs with. */
export interface Keys extends Stores {
  readonly vault: Vault;
  readonly peppers: Peppers;
  readonly tokens: AccessTokens;
}

/** And what it decides and reacts with. */
export interface Ports extends Keys {
  /** The events with what is personal in clear. */
  readonly store: EventStore;
  readonly runner: Runner;
  readonly registry: NodeRegistry;
  readonly fleet: ReturnType<typeof createFleet>;
}

/** What nearly every role needs before it can serve. */
export const storeChecks = ({ pool, record }: Pick<Stores, 'pool' | 'record'>) => ({
  postgres: () => pool.query('select 1'),
  'event-store': () => record.ping(),
});

export function openStores(context: RoleContext): Stores {
  const postgres = openPostgres(context, context.name);
  return { ...context, postgres, pool: postgres.pool, record: openEventStore(context) };
}

/** Waits until Postgres answers. Throws `ConfigError` without the pepper that the streams of this record are named with. */
export async function openKeys(stores: Stores): Promise<Keys> {
  const { config, clock, pool, name } = stores;
  await registerKeys(stores, pool, name);
  return {
    ...stores,
    vault: openVault(config, pool),
    peppers: await onceAnswered(stores, () => openPeppers(config, pool)),
    tokens: openAccessTokens(config, clock, pool),
  };
}

export function openPorts(keys: Keys): Ports {
  const { config, clock, logger, lifetime, pool } = keys;
  const store = sealedStore(keys.record, keys.vault);
  const registry = openRegistry(config, pool);
  const fleet = createFleet({ registry, clock, logger, liveMs: config.NODE_STALE_AFTER });
  lifetime.defer('fleet', () => fleet.close());
  return { ...keys, store, runner: openRunner(keys, store), registry, fleet };
}
