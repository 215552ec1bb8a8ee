import { readFileSync } from 'node:fs';
import type { RootDatabase } from 'lmdb';

const OWNER_KEY = 'owner';
const FORMAT_KEY = 'format';
const FORMAT = 1;

/** A process, told apart from a later one that got the same number by when it started (clock ticks since boot). */
interface Owner {
  readonly pid: number;
  readonly started: string;
}

/** Another process has the data directory open for writing. */
export class DataDirectoryHeld extends Error {
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(`The event store's data directory ${dataDir} is in use by process ${pid}. Stop that one first.`);
    this.name = 'DataDirectoryHeld';
    this.pid = pid;
  }
}

/**
 * Empty where the process does not run; one that is dead and only waits to be reaped (`Z`) holds nothing any more. Where
 * `/proc` is missing, the number alone has to do.
 */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = status.slice(status.lastIndexOf(')')).split(' ');
    return fields[1] === 'Z' ? '' : (fields[20] ?? '');
  } catch {
    return '';
  }
}

function isRunning(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return startOf(owner.pid) === owner.started;
}

function isOwner(value: unknown): value is Owner {
  return typeof value === 'object' && value !== null && 'pid' in value && 'started' in value;
}

/**
 * Makes this process the one that writes here. Two that try at once are put in order by LMDB's own write lock, in which
 * the owner is read and replaced; an owner that died without releasing is recognised by its process being gone.
 * @returns gives the directory back
 * @throws DataDirectoryHeld
 */
export function claimDataDirectory(root: RootDatabase<unknown, string>, dataDir: string): () => void {
  const self: Owner = { pid: process.pid, started: startOf(process.pid) };
  const holder = root.transactionSync(() => {
    const owner = root.get(OWNER_KEY);
    if (isOwner(owner) && isRunning(owner)) return owner;
    root.putSync(OWNER_KEY, self);
    return undefined;
  });
  if (holder) throw new DataDirectoryHeld(dataDir, holder.pid);
  const format = root.get(FORMAT_KEY);
  if (format !== undefined && format !== FORMAT)
    throw new Error(`${dataDir} has the unknown format ${JSON.stringify(format)}.`);
  root.putSync(FORMAT_KEY, FORMAT);
  return () => root.removeSync(OWNER_KEY);
}
