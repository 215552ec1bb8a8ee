import type pg from 'pg';
import { ConfigError, need, type Config } from '../../config/index.ts';
import { createPeppers, type Peppers } from '../../keys/index.ts';
import { nameOfKey, type KeyList } from '../../platform/key-list.ts';
import {
  createMasterKeys,
  holdKeys,
  namingKey,
  recordNamingKey,
  type HeldKeys,
  type MasterKeys,
} from '../../vault/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { onceAnswered } from './once-answered.ts';

export const masterKeysOf = (config: Config): MasterKeys => createMasterKeys(need(config, 'MASTER_KEY'));

/** What cursors are signed with. */
export function cursorKeysOf(config: Config): KeyList<Buffer> {
  const [first, ...others] = need(config, 'CURSOR_KEY');
  return [Buffer.from(first), ...others.map((key) => Buffer.from(key))];
}

/**
 * What hashes and names are keyed with. Throws `ConfigError` without the pepper that the streams of this record are named
 * with: under another one every address would be free again.
 */
export async function openPeppers(config: Config, pool: pg.Pool): Promise<Peppers> {
  const inUse = need(config, 'KEY_PEPPER');
  const retired = config.RETIRED_PEPPERS ?? [];
  const name = (await namingKey(pool)) ?? presumedNamingKey(config);
  const naming = [...inUse, ...retired].find((pepper) => nameOfKey(pepper) === name);
  if (naming === undefined)
    throw new ConfigError([
      `KEY_PEPPER and RETIRED_PEPPERS lack the pepper ${name}, which names the addresses of this record. Add it to RETIRED_PEPPERS.`,
    ]);
  return createPeppers(inUse, retired, naming);
}

/** The oldest pepper. A record begins with one alone. */
const presumedNamingKey = (config: Config): string => heldKeys(config).KEY_PEPPER.at(-1) ?? '';

/** The names of the keys that are configured, by the variable that holds them. */
export function heldKeys(config: Config) {
  const names = (keys: readonly (Buffer | string)[] = []) => keys.map(nameOfKey);
  return {
    MASTER_KEY: names(config.MASTER_KEY),
    KEY_PEPPER: names([...(config.KEY_PEPPER ?? []), ...(config.RETIRED_PEPPERS ?? [])]),
    CURSOR_KEY: names(config.CURSOR_KEY),
  } satisfies HeldKeys;
}

/**
 * Publishes to operators which keys this process has, while it lives, and records the keys from which names of streams
 * derive.
 */
export async function registerKeys(
  context: Pick<RoleContext, 'config' | 'logger' | 'lifetime'>,
  pool: pg.Pool,
  process: string,
): Promise<void> {
  const { config, logger, lifetime } = context;
  const holding = await onceAnswered(context, async () => {
    if (config.KEY_PEPPER !== undefined) await recordNamingKey(pool, presumedNamingKey(config));
    return holdKeys({ pool, logger, process, keys: heldKeys(config) });
  });
  lifetime.defer('held keys', () => holding.close());
}
