import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partOfTheRun } from './child.ts';
import type { Shard } from './shards.ts';

export interface Failure {
  readonly file: string;
  /** Its name in Mocha's output. */
  readonly text: string;
}

export interface Report {
  /** Of the shard. */
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly passed: number; readonly ms: number }[];
  readonly failures: readonly Failure[];
}

interface MochaOptions {
  readonly root: string;
  /** A temporary file of this run. */
  readonly report: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs a shard to its end. A process that exits without a report, or with an error status without a failure, is a
 * failure itself.
 */
export async function runShard({ name, files }: Shard, { root, report, env }: MochaOptions): Promise<Report> {
  const mocha = join(root, 'node_modules', '.bin', 'mocha');
  const reporter = join(root, 'infra', 'verification', 'run', 'reporter.cjs');
  const args = ['--reporter', reporter, '--reporter-option', `report=${report}`, ...files];
  const child = partOfTheRun(
    spawn(mocha, args, { cwd: root, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] }),
  );
  const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  const written = { name, ...reportAt(report) };
  if (status === 0 || written.failures.length > 0) return written;
  const text = `The tests' process ended with ${signal ?? status}; what it said is above.`;
  return { ...written, failures: [{ file: files.join(' '), text }] };
}

function reportAt(path: string): Omit<Report, 'name'> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Omit<Report, 'name'>;
  } catch {
    return { files: [], failures: [] };
  }
}
