import type { Readable } from 'node:stream';
import { dayMs } from '../../contracts/durations.ts';
import { stateParts, type StateCensus, type StatePart } from '../../contracts/profile-state.ts';
import { CensusTaker } from './census.ts';
import { checkedFiles, once, type CheckedFile } from './content.ts';
import { filesIn } from './entries.ts';
import { placeOf } from './layout.ts';
import { unpackLimits } from './limits.ts';
import { packFiles } from './pack.ts';

export interface Trim {
  /** The parts to keep; default: all but cached responses. Expired cookies are always dropped. */
  readonly keep?: readonly StatePart[] | undefined;
  /** Keeps only origins of these parts written to within this many days. */
  readonly olderThanDays?: number | undefined;
  readonly now: Date;
}

export interface TrimmedState {
  readonly archive: Readable;
  /** The census of the rest, once `archive` has been read to its end. */
  readonly census: () => StateCensus;
}

const keptByDefault = stateParts.filter((part) => part !== 'cache');

/**
 * The archive without the dropped data. `open` is called twice: which origins are kept is known only after all of their files
 * were seen. Rejects with `StateArchiveInvalid`, as does reading the result.
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

/** Origins with kept parts that were written to since then. */
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

/** The rest of one file: all, a part, or nothing. The service's own files stay, emptied if their part is dropped. */
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
