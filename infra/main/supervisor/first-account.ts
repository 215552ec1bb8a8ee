import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Stack } from './supervisor.ts';

export interface FirstAccount {
  readonly account_id: string;
  readonly api_key_id: string;
  readonly api_key: string;
  readonly tier: string;
  /** Signs in to the console, once. */
  readonly console_link: string;
}

const TIER = 'enterprise';
const EMAIL = 'operator@localhost.localdomain';
const run = fileURLToPath(new URL('../run.mjs', import.meta.url));

/**
 * Creates the first account of a new installation, once; its key is printed and not stored. The log decides which is the first,
 * because several supervisors may share it. Undefined if this data directory has done so before.
 */
export async function firstAccount({
  dataDir,
  environment,
}: Stack): Promise<FirstAccount | 'exists' | undefined> {
  const marker = join(dataDir, 'first-account.json');
  if (existsSync(marker)) return undefined;
  const owner = ['--email', EMAIL, '--tier', TIER];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [run, 'command', 'account', 'create', '--first', ...owner, '--console-link', '--json'],
    { env: environment },
  );
  const created = JSON.parse(stdout) as Omit<FirstAccount, 'tier'> | null;
  const { account_id, api_key_id } = created ?? { account_id: null, api_key_id: null };
  writeFileSync(marker, JSON.stringify({ account_id, api_key_id }));
  return created === null ? 'exists' : { ...created, tier: TIER };
}
