import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../testbed/index.ts';
import { copyCheckout, execute, makeDirectory } from './files.ts';
import { bundleSuite } from './suite.ts';

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

/** Makes the disks of a virtual machine with Debian and these packages. */
export async function makeDisks(packages: readonly string[]): Promise<Disks> {
  const own = tempDir('machine');
  const all = ['linux-image-cloud-amd64', 'openssh-server', ...packages];
  const directory = await makeDirectory(all, 'disk.sh');
  const key = join(own, 'key');
  await execute('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key);
  const content = join(own, 'content');
  mkdirSync(content);
  cpSync(`${key}.pub`, join(content, 'authorized_keys'));
  await copyCheckout(join(content, 'checkout'));
  await bundleSuite(join(content, 'checkout'));
  const checkout = join(own, 'checkout');
  await execute('truncate', '--size=4G', checkout);
  await execute('/sbin/mke2fs', '-q', '-F', '-t', 'ext4', '-d', content, checkout);
  return { own, directory, checkout, key };
}
