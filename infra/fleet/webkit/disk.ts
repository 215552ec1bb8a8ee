import type { Stats } from 'node:fs';
import { lstat, opendir, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';

/** What one entry of a directory counts for at least: file systems have an inode for so many bytes (mke2fs(8), `-i`). */
const leastBytes = 16 * 1024;

/** Without a reason to, all are looked at so often, in milliseconds. */
const seldomMs = 30_000;

interface OnDisk<B> {
  readonly browser: B;
  readonly pids: readonly number[];
}

/**
 * Finds the browsers that hold more than `most` bytes. To walk through what all of them have, over and over, would take most of a node:
 * it is done when the file system that they are on has lost a sixteenth of `most` since the last time, and now and then.
 */
export function createDiskLook<B extends { readonly directory: string }>(most: number, logger: Logger) {
  let free = 0;
  let lookedAt = -Infinity;
  /** One with a huge tree is still being looked at when the others are again. */
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
      logger.error({ err: error }, 'What browsers have on disk cannot be looked at.');
    }
  };
}

/**
 * Bytes that are taken by what is in the directory, and by files that were in it and are still open. Looks no further than to where
 * they are more than `most`. Links are not followed, and a file under several names counts once.
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

/** Undefined for what has been removed, or has ended, meanwhile, and for what nobody may look at. */
const orGone = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
