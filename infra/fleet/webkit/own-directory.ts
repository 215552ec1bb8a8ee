import { chmod, lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a directory that only this user can read or write. Throws if it belongs to another user, who could put forged
 * files there for browsers to read.
 */
export async function ownDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== userInfo().uid)
    throw new Error(`${path} belongs to another user.`);
  await chmod(path, 0o700);
  return path;
}

/**
 * The directory of files that are made once and shared by all browsers of this user's nodes, including later nodes. If
 * another user has a directory of that name, a new directory is made.
 */
export const sharedDirectory = (): Promise<string> =>
  ownDirectory(join(tmpdir(), `service-browsers-${userInfo().uid}`)).catch(() =>
    mkdtemp(join(tmpdir(), 'service-browsers-')),
  );
