import { randomBytes } from 'node:crypto';
import { loadConfig, type Config } from '../../infra/config/index.ts';
import { onlyPepper } from '../../infra/keys/index.ts';
import { tempDir } from '../../infra/verification/testbed/index.ts';

export const errorsBase = 'https://errors.example';

const pepper = 'a pepper for tests';
export const peppers = onlyPepper(pepper);

/** The defaults of a deployment, with secrets of its own and frequent heartbeats. */
export const testConfig = (changes: Partial<Config> = {}): Config => ({
  ...loadConfig({}),
  DATA_DIR: tempDir('data'),
  MASTER_KEY: [randomBytes(32)],
  KEY_PEPPER: [pepper],
  CURSOR_KEY: ['a key for the cursors of tests'],
  NODE_JOIN_TOKEN: 'join-me',
  HEARTBEAT_INTERVAL: 200,
  KEY_CACHE_TTL: 60_000,
  RATE_LIMITS: 'off',
  STATUS_PROBE_INTERVAL: 0,
  ANCHOR_INTERVAL: 0,
  ERRORS_BASE: errorsBase,
  CONSOLE_URL: 'https://console.example',
  ...changes,
});
