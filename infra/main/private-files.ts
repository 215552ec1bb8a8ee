import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files created by this process and its children are only accessible to their user, whatever the shell's umask. */
export const keepFilesPrivate = (): void => void process.umask(0o077);

const OTHERS = 0o077;
/** The sticky bit, as on /tmp: only its owner may remove a file. */
const SHARED = 0o1000;

/** All users may write to the directory, so it cannot be made private. */
export class SharedDirectory extends Error {
  override readonly name = 'SharedDirectory';

  constructor(path: string) {
    super(
      `DATA_DIR is ${path}, which every user may write to. Set it to a directory that only the service uses.`,
    );
  }
}

/**
 * Removes other users' permissions on a directory and its contents. Symbolic links are left as they are, and an already private
 * directory is not searched: others cannot reach its contents.
 *
 * @returns paths that could not be changed, because they belong to another user
 * @throws SharedDirectory
 */
export async function makePrivate(dataDir: string): Promise<readonly string[]> {
  const { mode } = await lstat(dataDir);
  if ((mode & SHARED) !== 0) throw new SharedDirectory(dataDir);
  const within = await Promise.all((await readdir(dataDir)).map((name) => tighten(join(dataDir, name))));
  return [...within.flat(), ...(await take(dataDir, mode))];
}

/**
 * Removes the permissions of other users, from the inside out: an interrupted run is then repeated, because the outer directory
 * still has them.
 */
async function tighten(path: string): Promise<readonly string[]> {
  const found = await lstat(path).catch(goneIs(undefined));
  if (found === undefined || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return [];
  const names = found.isDirectory() ? await readdir(path).catch(goneIs<string[]>([])) : [];
  const within: (readonly string[])[] = [];
  for (const name of names) within.push(await tighten(join(path, name)));
  return [...within.flat(), ...(await take(path, found.mode))];
}

async function take(path: string, mode: number): Promise<readonly string[]> {
  if ((mode & OTHERS) === 0) return [];
  try {
    await chmod(path, mode & 0o7777 & ~OTHERS);
    return [];
  } catch (error) {
    if (codeOf(error) === 'EPERM') return [path];
    return goneIs<readonly string[]>([])(error);
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Other processes of the stack remove their files concurrently. */
const goneIs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
