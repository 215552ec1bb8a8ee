import type pg from 'pg';
import type { ErasurePorts } from '../../../commands/account/erase.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import type { ProxyPorts } from '../../../commands/proxy.ts';
import type { AccessTokens } from '../../credentials/access-tokens.ts';
import type { CryptoPayments } from '../../crypto-payments/port.ts';
import { createHeartbeats, type Heartbeats } from '../../ephemeral/index.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { createFleet } from '../../fleet/control-plane/client.ts';
import type { Fleet, LiveFleet } from '../../fleet/control-plane/port.ts';
import type { NodeRegistry } from '../../fleet/control-plane/registry.ts';
import { throughControlPlane, type NodeTunnels } from '../../fleet/tunnel/node-agent.ts';
import type { Peppers } from '../../keys/index.ts';
import { sealedStore } from '../../personal/sealed-store.ts';
import type { Postgres } from '../../postgres/index.ts';
import type { Vault } from '../../vault/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { erasedIn } from './erased.ts';
import { onceAnswered } from './once-answered.ts';
import { openProxyProbe } from './outbound.ts';
import { openCryptoPayments } from './payments.ts';
import { writeUrl } from './peers.ts';
import { openPeppers, registerKeys } from './secrets.ts';
import { heartbeatEveryMs } from './settings.ts';
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
  /** Stored events, with personal fields sealed. */
  readonly record: EventStore;
}

/** Stores and keys: for opening, recognising and signing. */
export interface Keys extends Stores {
  readonly vault: Vault;
  readonly peppers: Peppers;
  readonly tokens: AccessTokens;
}

/** Ports for decisions that belong to no role. Tests may replace what `openPorts` opens. */
export interface DecisionPorts extends Pick<RoleContext, 'config' | 'clock' | 'logger'> {
  readonly runner: Runner;
  readonly vault: Vault;
  readonly peppers: Peppers;
  readonly fleet: Fleet & Pick<LiveFleet, 'live'>;
  readonly heartbeats: Heartbeats;
  /** Checks a proxy. */
  readonly probe: ProxyPorts['probe'];
  /** Undefined unless its keys are configured. */
  readonly payments: CryptoPayments | undefined;
  /** Reads of an erased account's resources in the read models. */
  readonly erased: Pick<ErasurePorts, 'seatsOf' | 'profilesOf' | 'agentSessionsOf'>;
}

/** All ports of commands and reactions. */
export interface Ports extends Keys, DecisionPorts {
  /** Events with personal fields opened. */
  readonly store: EventStore;
  readonly registry: NodeRegistry;
  readonly fleet: ReturnType<typeof createFleet>;
}

/** Readiness checks of nearly every role. */
export const storeChecks = ({ pool, record }: Pick<Stores, 'pool' | 'record'>) => ({
  postgres: () => pool.query('select 1'),
  'event-store': () => record.ping(),
});

export function openStores(context: RoleContext): Stores {
  const postgres = openPostgres(context, context.name);
  return { ...context, postgres, pool: postgres.pool, record: openEventStore(context) };
}

/** Waits until Postgres answers. Throws `ConfigError` without the pepper of the log's stream names. */
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

/** `tunnels`: how nodes are reached that cannot be called directly; by a write-api when absent. */
export function openPorts(keys: Keys, tunnels?: NodeTunnels): Ports {
  const { config, clock, logger, lifetime, pool, peppers, tls } = keys;
  const store = sealedStore(keys.record, keys.vault);
  const registry = openRegistry(config, pool);
  const beats = { liveMs: config.NODE_STALE_AFTER, heartbeatMs: config.HEARTBEAT_INTERVAL };
  const fleet = createFleet({
    ...{ registry, logger, peppers, tls, ...beats },
    tunnels: tunnels ?? throughControlPlane(writeUrl(config)),
  });
  lifetime.defer('fleet', () => fleet.close());
  return {
    ...{ ...keys, store, registry, fleet },
    runner: openRunner(keys, store),
    heartbeats: createHeartbeats({ pool, clock, logger, everyMs: heartbeatEveryMs(config) }),
    probe: openProxyProbe(config, registry.internal),
    payments: openCryptoPayments(config),
    erased: erasedIn(pool),
  };
}
