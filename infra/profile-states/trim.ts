import type { Readable } from 'node:stream';
import { stateParts, type StateCensus, type StatePart } from '../../contracts/profile-state.ts';
import { CensusTaker } from './census.ts';
import { checkedFiles, once, type CheckedFile } from './content.ts';
import { filesIn } from './entries.ts';
import { placeOf } from './layout.ts';
import { unpackLimits } from './limits.ts';
import { packFiles } from './pack.ts';

export interface Trim {
  /** The parts that stay; by default all but stored responses. Expired cookies never stay. */
  readonly keep?: readonly StatePart[] | undefined;
  /** Of the kept parts, only origins written to within this many days. */
  readonly olderThanDays?: number | undefined;
  readonly now: Date;
}

export interface TrimmedState {
  readonly archive: Readable;
  /** Of what is left, once `archive` has been read to its end. */
  readonly census: () => StateCensus;
}

const keptByDefault = stateParts.filter((part) => part !== 'cache');
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The archive without what the trim drops. `open` is called twice: which origins stay shows only when all of their files were
 * seen. Rejects with `StateArchiveInvalid`, and so does the reading of what it gives.
 */
export async function trimState(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { keep = keptByDefault, olderThanDays, now }: Trim,
): Promise<TrimmedState> {
  const since = olderThanDays === undefined ? -Infinity : now.getTime() - olderThanDays * dayMs;
  const origins = await originsThatStay(await open(), keep, since);
  const taker = new CensusTaker();
  const left = async function* (files: AsyncIterable<CheckedFile>) {
    for await (const file of files) {
      const remaining = remainderOf(file, { keep, origins, now });
      if (!remaining) continue;
      taker.add(remaining);
      yield remaining;
    }
  };
  return { archive: packFiles(left(filesOfState(await open()))), census: () => taker.census };
}

const filesOfState = (archive: AsyncIterable<Uint8Array>) =>
  checkedFiles(filesIn(archive, unpackLimits), unpackLimits);

/** Those of which something is kept, and to which something was written since then. */
async function originsThatStay(
  archive: AsyncIterable<Uint8Array>,
  keep: readonly StatePart[],
  since: number,
): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  const kept = new Set<string>();
  for await (const { path, writtenAt } of filesOfState(archive)) {
    const { origin, part } = placeOf(path);
    if (origin === undefined) continue;
    if (writtenAt.getTime() >= since) written.add(origin);
    if (part !== undefined && keep.includes(part)) kept.add(origin);
  }
  return new Set([...kept].filter((origin) => written.has(origin)));
}

interface Kept {
  readonly keep: readonly StatePart[];
  readonly origins: ReadonlySet<string>;
  readonly now: Date;
}

/** What is left of one file: all, a part, or nothing. Our own files stay, emptied where their part goes. */
function remainderOf(file: CheckedFile, { keep, origins, now }: Kept): CheckedFile | undefined {
  const { part, origin } = placeOf(file.path);
  const isKept = part === undefined || keep.includes(part);
  if (file.cookies) {
    const alive = file.cookies.filter(({ expires = null }) => expires === null || expires > now.getTime());
    return rewritten({ ...file, cookies: isKept ? alive : [] });
  }
  if (file.sessions) return isKept ? file : rewritten({ ...file, sessions: {} });
  return isKept && (origin === undefined || origins.has(origin)) ? file : undefined;
}

function rewritten(file: CheckedFile): CheckedFile {
  const bytes = Buffer.from(JSON.stringify(file.cookies ?? file.sessions));
  return { ...file, bytes: bytes.length, content: once(bytes) };
}
