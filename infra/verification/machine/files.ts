import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../stack/restoring.ts';
import { tempDir } from '../testbed/index.ts';

const maxBuffer = 64 * 1024 * 1024;

export const execute = (program: string, ...args: readonly string[]) =>
  promisify(execFile)(program, args, { cwd: root, maxBuffer });

/**
 * Makes a directory by these scripts, one after the other, the first one with these packages. `MACHINE_KEPT` names a directory in which it is
 * kept for the next run. `base.sh` makes `files` in it.
 */
export async function makeDirectory(
  packages: readonly string[],
  ...scripts: readonly string[]
): Promise<string> {
  const paths = ['base.sh', ...scripts].map((script) => join(import.meta.dirname, script));
  const inputs = [...paths.map((path) => readFileSync(path, 'utf8')), ...packages];
  const hash = createHash('sha256').update(inputs.join('\0')).digest('hex').slice(0, 12);
  const directory = join(process.env.MACHINE_KEPT ?? tempDir('machine'), `debian-${hash}`);
  if (existsSync(directory)) return directory;
  const [base = '', ...others] = paths;
  await execute(base, join(`${directory}.new`, 'files'), ...packages);
  for (const script of others) await execute(script, `${directory}.new`);
  renameSync(`${directory}.new`, directory);
  return directory;
}

/** Copies the files that Git knows or would add, as they are now, the packages that `npm ci` has installed, and the bundles. */
export async function copyCheckout(to: string): Promise<void> {
  const { stdout } = await execute('git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  for (const path of stdout.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(root, path), join(to, path));
  }
  const packages = join(to, 'node_modules');
  mkdirSync(packages);
  const entries = readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache');
  await execute('cp', '-r', ...entries.map((name) => join(root, 'node_modules', name)), packages);
  const { stdout: bundle } = await execute(process.execPath, 'infra/main/run.mjs', 'bundle');
  const cache = join(packages, '.cache/service');
  mkdirSync(cache, { recursive: true });
  await execute('cp', '-r', bundle.trim(), cache);
}
