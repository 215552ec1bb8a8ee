import { until } from './until.ts';

/** Sends signals to processes by their names. */
export interface Signals {
  kill(name: string): Promise<void>;
  pause(name: string): void;
  resume(name: string): void;
  resumeAll(): void;
}

const KILL_LIMIT_MS = 10_000;

/** @param processes the current ones; throws if the supervisor does not run */
export function createSignals(processes: () => Readonly<Record<string, number>>): Signals {
  const paused = new Map<string, number>();
  const pidOf = (name: string): number => {
    const pid = processes()[name];
    if (pid === undefined) throw new Error(`There is no process ${name}.`);
    return pid;
  };
  const resume = (name: string): void => {
    const pid = paused.get(name);
    paused.delete(name);
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGCONT');
  };
  return {
    kill: async (name) => {
      const pid = pidOf(name);
      process.kill(pid, 'SIGKILL');
      const gone = () => !isAlive(pid) && (name === 'supervisor' || processes()[name] !== pid);
      await until(gone, { limitMs: KILL_LIMIT_MS });
    },
    pause: (name) => {
      const pid = pidOf(name);
      paused.set(name, pid);
      process.kill(pid, 'SIGSTOP');
    },
    resume,
    resumeAll: () => [...paused.keys()].forEach(resume),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
