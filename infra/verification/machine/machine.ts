import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { until } from '../testbed/index.ts';
import { quoted } from './suite.ts';

export interface Done {
  readonly status: number;
  /** Standard output and error output. */
  readonly said: string;
}

export interface RunOptions {
  /** The directory in which an operator would be. */
  readonly cwd?: string;
  readonly limitMs?: number;
}

/** A machine with Debian and systemd, without a network. */
export interface Machine {
  /** Runs a script of a shell as root. */
  run(script: string, options?: RunOptions): Promise<Done>;
  /** The same, for a script that must succeed. Resolves with its output. */
  must(script: string, options?: RunOptions): Promise<string>;
  /** Resolves when systemd has started everything. */
  booted(): Promise<void>;
  stop(): Promise<void>;
}

export interface MachineParts {
  /** The process that ends with the machine. */
  readonly child: ChildProcess;
  /** A command line that takes one more argument: a line for the machine's shell. */
  readonly enter: () => readonly string[];
  /** File of what the machine's console shows. */
  readonly log: string;
  readonly bootLimitMs: number;
}

export function machineOf({ child, enter, log, bootLimitMs }: MachineParts): Machine {
  const onConsole = () => (existsSync(log) ? readFileSync(log, 'utf8').slice(-3_000) : '');
  const run: Machine['run'] = (script, { cwd = '/root', limitMs = 600_000 } = {}) => {
    const [program = '', ...args] = enter();
    const line = `cd ${cwd} && exec bash --norc -euo pipefail -c ${quoted(script)} </dev/null 2>&1`;
    return finished(program, [...args, line], limitMs);
  };
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error('The machine ended.');
    return (await run('systemctl is-system-running', { limitMs: 60_000 })).said.trim() === 'running';
  };
  return {
    run,
    must: async (script, options) => {
      const { status, said } = await run(script, options);
      if (status !== 0) throw new Error(`Ended with ${status}: ${script}\n${said}`);
      return said.trim();
    },
    booted: async () => {
      await until(isUp, { limitMs: bootLimitMs, everyMs: 1_000 }).catch((cause: unknown) => {
        throw new Error(`The machine does not come up.\n${onConsole()}`, { cause });
      });
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function finished(program: string, args: readonly string[], limitMs: number): Promise<Done> {
  try {
    const options = { timeout: limitMs, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return { status: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { status: code, said: `${stdout}${stderr}` };
  }
}
