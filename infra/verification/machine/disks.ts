import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempDir } from '../testbed/index.ts';
import { bundleSuite } from './suite.ts';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;
const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Disks {
  /** Of this run alone. */
  readonly own: string;
  /** Has `kernel`, `initrd` and `disk`. */
  readonly directory: string;
  /** The second disk: the checkout with its npm packages, and the key that the machine trusts. */
  readonly checkout: string;
  /** File of the private key. */
  readonly key: string;
}

/**
 * Makes the disks of a machine with Debian and these packages. `MACHINE_KEPT` names a directory in which Debian's disk is kept for the next
 * run.
 */
export async function makeDisks(packages: readonly string[]): Promise<Disks> {
  const [kept, own] = [process.env.MACHINE_KEPT ?? tempDir('machine'), tempDir('machine')];
  const directory = await baseIn(kept, packages);
  const key = join(own, 'key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const content = join(own, 'content');
  mkdirSync(content);
  cpSync(`${key}.pub`, join(content, 'authorized_keys'));
  await copyCheckout(join(content, 'checkout'));
  const checkout = join(own, 'checkout');
  await run('truncate', ['--size=4G', checkout]);
  await run('/sbin/mke2fs', ['-q', '-F', '-t', 'ext4', '-d', content, checkout]);
  return { own, directory, checkout, key };
}

async function baseIn(kept: string, packages: readonly string[]): Promise<string> {
  const script = join(import.meta.dirname, 'base.sh');
  const hash = createHash('sha256').update([readFileSync(script, 'utf8'), ...packages].join('\0'));
  const base = join(kept, `base-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(base)) return base;
  await run(script, [`${base}.new`, ...packages], { maxBuffer });
  renameSync(`${base}.new`, base);
  return base;
}

/** The files that Git knows or would add, as they are now, the packages that `npm ci` has installed, and the bundles. */
async function copyCheckout(to: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', args, { cwd: root, maxBuffer });
  for (const path of stdout.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(root, path), join(to, path));
  }
  const packages = join(to, 'node_modules');
  mkdirSync(packages);
  const entries = readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache');
  await run('cp', ['-r', ...entries.map((name) => join(root, 'node_modules', name)), packages]);
  await bundleSuite(to);
  const { stdout: bundle } = await run(process.execPath, ['infra/main/run.mjs', 'bundle'], { cwd: root });
  const cache = join(packages, '.cache/service');
  mkdirSync(cache, { recursive: true });
  await run('cp', ['-r', bundle.trim(), cache]);
}
