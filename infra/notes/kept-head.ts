import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Check } from 'typebox/value';
import { Count, Type, type Static } from '../../contracts/schema.ts';
import { writeDurably } from '../platform/durable-file.ts';
import { messageOf } from '../platform/error-message.ts';

/** The last head that was signed, with its note. */
const KeptHead = Type.Object({
  origin: Type.String(),
  size: Count,
  /** Base64. */
  root: Type.String(),
  note: Type.String(),
});
export type KeptHead = Readonly<Static<typeof KeptHead>>;

/** Stores a head outside of the log and of Postgres, to detect a log that was restored from an older backup. */
export interface HeadKeeper {
  /** Undefined before the first one. Rejects with `HeadUnreadable`. */
  readonly read: () => Promise<KeptHead | undefined>;
  /** Resolves once the head is on disk. */
  readonly write: (head: KeptHead) => Promise<void>;
}

const unreadable = 'The signed public head cannot be read from ';

/** There is a file, but no head was read from it, so the log cannot be checked against the head. */
export class HeadUnreadable extends Error {
  override readonly name = 'HeadUnreadable';
  constructor(file: string, cause: unknown) {
    super(
      `${unreadable}${file}: ${messageOf(cause)}. ` +
        'Let the user of the process host read it, or replace it by the newest copy.',
      { cause },
    );
  }
}

/** Whether this is why signing stopped: the log may contradict nothing, and no new log could be signed either. */
export const isHeadUnreadable = (reason: string): boolean => reason.startsWith(unreadable);

export const keptHeadIn = (file: string): HeadKeeper => ({
  async read() {
    try {
      return headIn(await readFile(file, 'utf8'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw new HeadUnreadable(file, error);
    }
  },
  async write(head) {
    await mkdir(dirname(file), { recursive: true });
    await writeDurably(file, JSON.stringify(head));
  },
});

function headIn(text: string): KeptHead {
  const head: unknown = JSON.parse(text);
  if (Check(KeptHead, head)) return head;
  throw new Error('it contains something else');
}
