import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { initialise } from '../../main/embedded/postgres.ts';
import { tempDir } from './temp-dir.ts';

const password = randomBytes(24).toString('base64url');
let template: Promise<string> | undefined;

/**
 * Makes a Postgres cluster as its first start would, unless there is one, and returns the password of its user. All
 * clusters of a test process are copies of one, because initdb takes ten times the processor time of a copy.
 */
export async function newCluster(dataDir: string): Promise<string> {
  if (existsSync(dataDir)) return password;
  template ??= initialised();
  // Keeps the owner.
  await promisify(execFile)('cp', ['-a', await template, dataDir]);
  return password;
}

async function initialised(): Promise<string> {
  const dataDir = join(tempDir('cluster'), 'template');
  await initialise({ dataDir, password, durable: false });
  return dataDir;
}

/** Gives a new installation its cluster, and the password that its supervisor would make. */
export async function giveCluster(installation: string): Promise<void> {
  const secrets = join(installation, 'secrets.json');
  if (existsSync(secrets)) return;
  const POSTGRES_PASSWORD = await newCluster(join(installation, 'postgres'));
  writeFileSync(secrets, JSON.stringify({ POSTGRES_PASSWORD }), { mode: 0o600 });
}
