import type pg from 'pg';
import { need, type Config } from '../../config/index.ts';
import { createVault, type Vault } from '../../vault/index.ts';

/** There is one master key so far; its id and version stand beside everything it wraps, so that a second can follow. */
export const openVault = (config: Config, pool: pg.Pool): Vault =>
  createVault({
    pool,
    masterKey: { id: 'master', version: 1, key: need(config, 'MASTER_KEY') },
    keyAgeMs: config.VAULT_KEY_AGE,
  });
