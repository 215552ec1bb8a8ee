import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { configuredIn, setIn, type Environment } from '../../config/index.ts';
import { replaceFile } from '../../platform/durable-file.ts';

/** The stack running on a data directory, for the operator's commands and for tests. Contains passwords: 0600. */
export interface StackState {
  readonly ready: boolean;
  readonly base_url: string;
  readonly write_url: string;
  readonly read_url: string;
  /** Process ids by name: roles, `event-store`, `postgres`, `supervisor`. */
  readonly processes: Readonly<Record<string, number>>;
  /** Variables that the supervisor added for the processes. */
  readonly environment: Readonly<Record<string, string>>;
}

const pathIn = (dataDir: string) => join(dataDir, 'stack.json');

export const writeStack = (dataDir: string, state: StackState): void =>
  replaceFile(pathIn(dataDir), JSON.stringify(state, null, 2));

/** Undefined if nothing runs there, also if the supervisor was killed or its machine restarted, which leaves the file behind. */
export function readStack(dataDir: string): StackState | undefined {
  const written = writtenStack(dataDir);
  return isSupervisor(written?.processes.supervisor) ? written : undefined;
}

/**
 * The configuration that the supervisor of a running stack was given, with absolute paths, except for READY_PEERS, which it sets itself.
 * It is read from that process, because no file may contain its secrets. Linux hides it from other users, and in a unit with
 * `PrivateUsers=` from its own: `handed` is then what service-command.sh has read, in base64. Undefined if it is hidden and not handed.
 */
export function givenTo({ processes: { supervisor } }: StackState, handed?: string): Environment | undefined {
  const shownOrHanded = shown(supervisor, 'environ') ?? (handed && Buffer.from(handed, 'base64').toString());
  if (!shownOrHanded) return undefined;
  const { READY_PEERS: _, ...given } = Object.fromEntries(shownOrHanded.split('\0').map(variableIn));
  return setIn(configuredIn(given, directoryOf(supervisor) ?? process.cwd()));
}

function directoryOf(pid: number | undefined): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function variableIn(line: string): readonly [name: string, value: string] {
  const end = line.indexOf('=');
  return [line.slice(0, end), line.slice(end + 1)];
}

function writtenStack(dataDir: string): StackState | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as StackState;
  } catch {
    return undefined;
  }
}

function removeStack(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}

/** Until the file is written again after that has failed. */
const AGAIN_MS = 1_000;

/**
 * Describes a starting or running stack, kept up to date. Nothing is written before its first description. While the file cannot be
 * written, as on a full disk, the stack goes on: `onFailure` is called once, and the writing is repeated until it succeeds.
 */
export function createStackPage(dataDir: string, onFailure: (error: Error) => void, againMs = AGAIN_MS) {
  let ready = false;
  let put: () => void = () => undefined;
  let retry: NodeJS.Timeout | undefined;
  let hasFailed = false;
  const write = () => {
    clearTimeout(retry);
    try {
      put();
      hasFailed = false;
    } catch (error) {
      retry = setTimeout(write, againMs).unref();
      if (!hasFailed) onFailure(error as Error);
      hasFailed = true;
    }
  };
  return {
    describe: ({ processes, ...state }: Description) => {
      put = () =>
        writeStack(dataDir, { ...state, ready, processes: { supervisor: process.pid, ...processes() } });
    },
    write,
    ready: () => {
      ready = true;
      write();
    },
    remove: () => {
      clearTimeout(retry);
      put = () => undefined;
      removeStack(dataDir);
    },
  };
}

type Description = Omit<StackState, 'ready' | 'processes'> & {
  readonly processes: () => Readonly<Record<string, number | undefined>>;
};

const LIMIT_MS = 10_000;
const POLL_MS = 20;

/**
 * Ends processes left on this data directory by a killed supervisor: two event stores on one directory would destroy it. A
 * process is recognised by its command line and its directory, because ids are reused: after a restart of the machine, often by the
 * processes of another stack.
 */
export async function endLeftovers(dataDir: string): Promise<void> {
  const isOurs = isProcessOn(dataDir);
  const pids = Object.values(writtenStack(dataDir)?.processes ?? {}).filter(isOurs);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const end = performance.now() + LIMIT_MS;
  while (pids.some(isOurs)) {
    if (performance.now() > end)
      throw new Error(
        `Processes left over from an earlier start did not end: ${pids.join(', ')}. End them, then start again.`,
      );
    await delay(POLL_MS);
  }
  removeStack(dataDir);
}

/** A role has the directory in its environment, which is hidden if it belongs to another user; the event store, in its arguments. */
const isProcessOn = (dataDir: string) => {
  const eventStore = `\0${join(dataDir, 'event-store')}\0`;
  return (pid: number): boolean => {
    const commandLine = commandLineOf(pid) ?? '';
    if (!/infra\/main\/run\.mjs\0(role|event-store)\0/.test(commandLine)) return false;
    return (
      commandLine.includes(eventStore) || `\0${shown(pid, 'environ')}`.includes(`\0DATA_DIR=${dataDir}\0`)
    );
  };
};

/** By its command line where that can be read, because ids are reused; else whether there is such a process. */
function isSupervisor(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  const commandLine = commandLineOf(pid);
  if (commandLine !== undefined) return /\b(start|run)\.mjs\0/.test(commandLine);
  return exists(pid);
}

const commandLineOf = (pid: number): string | undefined => shown(pid, 'cmdline');

/** What Linux shows of a process, each text ended by a zero; undefined if it is hidden, or there is no such process. */
function shown(pid: number | undefined, file: 'cmdline' | 'environ'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
