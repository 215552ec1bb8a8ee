import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStack, type StackState } from '../../main/supervisor/stack-file.ts';
import { until } from './until.ts';

/** The supervisor of a stack, and what it reports. */
export interface StackProcess {
  /** @throws if it has exited, or has not reported its addresses yet */
  state(): StackState;
  /** Rejects at once, with the supervisor's output, if it exits instead. */
  firstReady(limitMs: number): Promise<StackState>;
  /** SIGTERM; resolves with its exit status. */
  stop(): Promise<number | null>;
}

const run = fileURLToPath(new URL('../../main/run.mjs', import.meta.url));

/** Starts a stack as `npm start` does, with these arguments. */
export function launchStack(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): StackProcess {
  const output = join(dataDir, 'output');
  const log = openSync(output, 'a');
  const child = spawn(process.execPath, [run, 'supervisor', ...args], {
    env: environment,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const gone = once(child, 'exit');
  // A supervisor ignores the interrupts of a terminal, so it would outlive its starter.
  const leave = () => child.kill('SIGTERM');
  process.once('exit', leave);
  void gone.then(() => process.off('exit', leave));
  const state = (): StackState => {
    if (child.exitCode !== null) throw new Error(`The stack ended:\n${readFileSync(output, 'utf8')}`);
    const current = readStack(dataDir);
    if (current === undefined) throw new Error('The stack has not told where it is.');
    // A supervisor that was killed leaves its page behind.
    if (current.processes.supervisor !== child.pid) throw new Error('The page is of another stack.');
    return current;
  };
  return {
    state,
    firstReady: async (limitMs) => {
      const ended = gone.then(() => undefined);
      const ready = until(() => (state().ready ? state() : undefined), { limitMs, everyMs: 50 });
      return (await Promise.race([ready, ended])) ?? state();
    },
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await gone;
      return child.exitCode;
    },
  };
}
