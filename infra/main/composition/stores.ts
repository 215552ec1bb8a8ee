import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import { createRunner, type Runner } from '../../../commands/engine/runner.ts';
import { type Config, need } from '../../config/index.ts';
import { connectEventStore, type EventStore } from '../../event-store/client/index.ts';
import { createNodeRegistry, type NodeRegistry } from '../../fleet/control-plane/registry.ts';
import { createNoteKeys, type NoteKeys } from '../../notes/note-keys.ts';
import { connectPostgres, type Postgres, type PostgresOptions } from '../../postgres/index.ts';
import { createSigningKeys, createVault, type SigningKeys, type Vault } from '../../vault/index.ts';
import { createAccessTokens, type AccessTokens } from '../../credentials/access-tokens.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RoleContext } from '../roles/role.ts';
import { publicUrl } from './public-url.ts';
import { masterKeysOf } from './secrets.ts';

export type Opening = Pick<RoleContext, 'config' | 'logger' | 'lifetime'>;

export function openPostgres(
  { config, logger, lifetime }: Opening,
  applicationName: string,
  options: Pick<PostgresOptions, 'hasty' | 'readOnly' | 'maxConnections'> = {},
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

export const openRunner = (
  { config, logger }: Pick<Opening, 'config' | 'logger'>,
  store: EventStore,
): Runner => createRunner({ store, logger, cacheEntries: config.STATE_CACHE });

/** One per process, so that a destroyed key is dropped for the whole process at once. */
export const openVault = (config: Config, pool: pg.Pool): Vault =>
  createVault({
    pool,
    masterKeys: masterKeysOf(config),
    keyAgeMs: config.VAULT_KEY_AGE,
  });

/** Signing keys of access tokens. */
export const openSigningKeys = (config: Config, pool: pg.Pool): SigningKeys =>
  createSigningKeys(pool, masterKeysOf(config), 'access tokens');

/** Signing keys of heads of audit logs. */
export const openNoteKeys = (config: Config, pool: pg.Pool): NoteKeys =>
  createNoteKeys({
    keys: createSigningKeys(pool, masterKeysOf(config), 'audit notes'),
    baseUrl: publicUrl(config),
  });

export const openAccessTokens = (config: Config, clock: Clock, pool: pg.Pool): AccessTokens =>
  createAccessTokens({
    keys: openSigningKeys(config, pool),
    clock,
    accessMs: config.ACCESS_TTL,
  });

/** Nodes' credentials are stored sealed with a separate key, derived from each master key. */
export function openRegistry(config: Config, pool: pg.Pool): NodeRegistry {
  const [first, ...others] = need(config, 'MASTER_KEY');
  return createNodeRegistry({ pool, sealingKeys: [sealingKeyOf(first), ...others.map(sealingKeyOf)] });
}

const sealingKeyOf = (masterKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'node credentials', 32));
