import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeDurably } from '../platform/durable-file.ts';

/** The last head that was signed, with its note. */
export interface KeptHead {
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  readonly note: string;
}

/** Stores a head outside of the log and of Postgres, to detect a log that was restored from an older backup. */
export interface HeadKeeper {
  /** Undefined before the first one. */
  readonly read: () => Promise<KeptHead | undefined>;
  /** Resolves once the head is on disk. */
  readonly write: (head: KeptHead) => Promise<void>;
}

export const keptHeadIn = (file: string): HeadKeeper => ({
  async read() {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as KeptHead;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  },
  async write(head) {
    await mkdir(dirname(file), { recursive: true });
    await writeDurably(file, JSON.stringify(head));
  },
});
