import type { Stats } from 'node:fs';
import { lstat, opendir, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';

/**
 * Bytes that each directory entry counts for at least: file systems reserve an inode for that many bytes (mke2fs(8),
 * `-i`).
 */
const leastBytes = 16 * 1024;

/** Milliseconds between two walks when free space has not changed. */
const seldomMs = 30_000;

interface OnDisk<B> {
  readonly browser: B;
  readonly pids: readonly number[];
}

/**
 * Finds the browsers that use more than `most` bytes on disk. Permanent walks of all directories would take most of a
 * node's processor time. They are walked when the free space of the file system has shrunk by a sixteenth of `most`
 * since the last walk, and every `seldomMs`.
 */
export function createDiskLook<B extends { readonly directory: string }>(most: number, logger: Logger) {
  let free = 0;
  let lookedAt = -Infinity;
  /** Browsers whose previous walk is still under way, and which are skipped. */
  const underWay = new Set<B>();

  const isDue = async (directory: string) => {
    const { bavail, bsize } = await statfs(directory);
    const now = bavail * bsize;
    const due = now < free - most / 16 || performance.now() - lookedAt > seldomMs;
    free = due ? now : Math.max(free, now);
    if (due) lookedAt = performance.now();
    return due;
  };
  return async (all: readonly OnDisk<B>[], onPassed: (browser: B, used: number) => void): Promise<void> => {
    const lookAt = async ({ browser, pids }: OnDisk<B>) => {
      if (underWay.has(browser)) return;
      underWay.add(browser);
      const used = await heldBy(browser.directory, pids, most).finally(() => underWay.delete(browser));
      if (used > most) onPassed(browser, used);
    };
    try {
      const [first] = all;
      if (first && (await isDue(dirname(first.browser.directory)))) await Promise.all(all.map(lookAt));
    } catch (error) {
      logger.error({ err: error }, 'The disk usage of browsers cannot be measured.');
    }
  };
}

/**
 * Bytes of the files in the directory, and of removed files that its processes still have open. Stops counting above
 * `most`. Symbolic links are not followed; a file with several names counts once.
 */
export async function heldBy(directory: string, pids: readonly number[], most: number): Promise<number> {
  const seen = new Set<number>();
  let held = 0;
  const count = ({ ino, nlink, blocks }: Stats) => {
    if (nlink !== 1 && seen.has(ino)) return;
    if (nlink !== 1) seen.add(ino);
    held += Math.max(leastBytes, blocks * 512);
  };
  for await (const stats of entriesBelow(directory)) {
    count(stats);
    if (held > most) return held;
  }
  const device = (await orGone(lstat(directory)))?.dev;
  for (const pid of pids)
    for (const fd of (await orGone(readdir(`/proc/${pid}/fd`))) ?? []) {
      const open = await orGone(stat(`/proc/${pid}/fd/${fd}`));
      if (open?.isFile() && open.nlink === 0 && open.dev === device) count(open);
      if (held > most) return held;
    }
  return held;
}

async function* entriesBelow(top: string): AsyncGenerator<Stats> {
  const directories = [top];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for await (const { name } of (await orGone(opendir(directory))) ?? []) {
      const path = join(directory, name);
      const stats = await orGone(lstat(path));
      if (!stats) continue;
      if (stats.isDirectory()) directories.push(path);
      yield stats;
    }
  }
}

/** Undefined for what has been removed or has exited meanwhile, and for what this user may not read. */
const orGone = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
