import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pauseMs } from '../../platform/back-off.ts';
import { messageOf } from '../../platform/error-message.ts';
import { withNiceness } from '../../platform/niceness.ts';

export interface ProcessSpec {
  readonly name: string;
  /** A program of `infra/main/run.mjs`, and its arguments. */
  readonly program: 'role' | 'event-store';
  readonly args: readonly string[];
  /** Flags of Node and V8. */
  readonly flags?: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
}

export interface SupervisedProcess {
  readonly name: string;
  pid(): number | undefined;
  /** Resolves when it first serves; rejects with the end of its log if it ends before. */
  readonly firstReady: Promise<void>;
  /** Stops it permanently, by a signal, then by force after the limit. */
  stop(limitMs: number): Promise<void>;
}

export interface Observer {
  /** Called when it has a new process id, or none. */
  readonly changed: () => void;
  readonly crashed: (name: string, how: string, restartInMs: number) => void;
}

/** A process ended before it served; the message ends with the last lines of its log. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
}

const restarting = { firstMs: 250, longestMs: 10_000 };
/** After serving this long a crashed process restarts without back-off. */
const STEADY_MS = 30_000;
const LAST_WORDS = 2_000;
const run = fileURLToPath(new URL('../run.mjs', import.meta.url));
const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Supervises a process: in its own process group, so that a Ctrl-C reaches only the supervisor, and restarted with back-off after
 * a crash. A crash before it has served is a failed start, and not retried.
 */
export function supervise(spec: ProcessSpec, observer: Observer): SupervisedProcess {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let crashes = 0;

  const firstReady = new Promise<void>((serves, failed) => {
    let hasServed = false;
    const start = () => {
      const startedAt = performance.now();
      child = launch(spec, {
        serves: () => {
          hasServed = true;
          serves();
        },
        ended: (how) => {
          child = undefined;
          observer.changed();
          if (stopping || !hasServed) return failed(new StartFailed(lastWords(spec, how)));
          if (performance.now() - startedAt > STEADY_MS) crashes = 0;
          const restartInMs = pauseMs(restarting, crashes++);
          observer.crashed(spec.name, how, restartInMs);
          timer = setTimeout(start, restartInMs);
        },
      });
      observer.changed();
    };
    start();
  });
  // The start of the stack awaits it; without this handler, an earlier stop would leave it unhandled.
  firstReady.catch(() => undefined);

  return {
    name: spec.name,
    pid: () => child?.pid,
    firstReady,
    stop: async (limitMs) => {
      stopping = true;
      clearTimeout(timer);
      if (child !== undefined) await end(child, limitMs);
    },
  };
}

interface Course {
  readonly serves: () => void;
  readonly ended: (how: string) => void;
}

/** A process that cannot be started, as at a limit of processes or without room for its log, counts as one that has ended. */
function launch(spec: ProcessSpec, { serves, ended }: Course): ChildProcess | undefined {
  try {
    const child = spawned(spec);
    child.once('message', serves);
    child.once('exit', (code, signal) => ended(signal ?? `exit status ${code}`));
    child.on('error', ({ message }) => {
      if (child.pid === undefined) ended(message);
    });
    return child;
  } catch (error) {
    ended(messageOf(error));
    return undefined;
  }
}

function spawned({ program, args, flags = [], environment, logFile }: ProcessSpec): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    return withNiceness(
      spawn(process.execPath, [...flags, run, program, ...args], {
        cwd: projectRoot,
        env: environment,
        detached: true,
        stdio: ['ignore', log, log, 'ipc'],
      }),
    );
  } finally {
    closeSync(log);
  }
}

function end(child: ChildProcess, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const hurry = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.once('exit', () => {
      clearTimeout(hurry);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

function lastWords({ name, logFile }: ProcessSpec, how: string): string {
  const title = `${name} exited before it was ready (${how}).`;
  try {
    return `${title} The end of ${logFile}:\n${endOf(logFile, LAST_WORDS).trim()}`;
  } catch (error) {
    return `${title} Its log cannot be read: ${messageOf(error)}`;
  }
}

/** Reads the end of a log of any length. */
function endOf(path: string, bytes: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, bytes));
    readSync(file, end, 0, end.length, size - end.length);
    return end.toString();
  } finally {
    closeSync(file);
  }
}
