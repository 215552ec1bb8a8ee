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

/** Signing keys of cursors. */
export function cursorKeysOf(config: Config): KeyList<Buffer> {
  const [first, ...others] = need(config, 'CURSOR_KEY');
  return [Buffer.from(first), ...others.map((key) => Buffer.from(key))];
}

/**
 * Keys of hashes and names. Throws `ConfigError` without the pepper of the log's stream names: under another one every address
 * would be free again.
 */
export async function openPeppers(config: Config, pool: pg.Pool): Promise<Peppers> {
  const inUse = need(config, 'KEY_PEPPER');
  const retired = config.RETIRED_PEPPERS ?? [];
  const name = (await namingKey(pool)) ?? presumedNamingKey(config);
  const naming = [...inUse, ...retired].find((pepper) => nameOfKey(pepper) === name);
  if (naming === undefined)
    throw new ConfigError([
      `KEY_PEPPER and RETIRED_PEPPERS lack the pepper ${name}, from which this installation derives the stream names of email addresses. Add it to RETIRED_PEPPERS.`,
    ]);
  return createPeppers(inUse, retired, naming);
}

/** The oldest pepper: an installation starts with a single one. */
const presumedNamingKey = (config: Config): string => heldKeys(config).KEY_PEPPER.at(-1) ?? '';

/** Names of the configured keys, by variable. */
export function heldKeys(config: Config) {
  const names = (keys: readonly (Buffer | string)[] = []) => keys.map(nameOfKey);
  return {
    MASTER_KEY: names(config.MASTER_KEY),
    KEY_PEPPER: names([...(config.KEY_PEPPER ?? []), ...(config.RETIRED_PEPPERS ?? [])]),
    CURSOR_KEY: names(config.CURSOR_KEY),
  } satisfies HeldKeys;
}

/** Publishes for operators which keys this process has, while it runs, and records the keys behind names of streams. */
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
