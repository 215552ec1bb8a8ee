import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempDir } from '../testbed/index.ts';

export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export interface Packed {
  /** A folder that contains only the installed client. */
  readonly folder: string;
  readonly archive: string;
}

let packed: Promise<Packed> | undefined;

/** A folder in which the packed client is installed as a user does it; made once for all tests of a process. */
export const installed = (): Promise<Packed> => (packed ??= install());

async function install(): Promise<Packed> {
  const folder = tempDir('client');
  const script = join(checkout, 'infra/main/tools/pack-client.ts');
  const name = await run(process.execPath, ['--import', 'tsx', script, folder], checkout);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  mkdirSync(join(folder, 'node_modules'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${name.trim()}`], folder);
  return { folder, archive: join(folder, name.trim()) };
}

/** Output of a program; rejects with all of it if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 200_000, maxBuffer: 16 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`, { cause });
  }
}
