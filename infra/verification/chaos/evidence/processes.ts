import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverLine, ProcessEnd } from './types.ts';

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];

export const driverLines = (path: string): readonly DriverLine[] =>
  linesOf(path).map((line) => JSON.parse(line) as DriverLine);

/** The log files below `logs/` and the supervisor's output. */
export function processLogs(dataDir: string): Readonly<Record<string, readonly string[]>> {
  const logs = join(dataDir, 'logs');
  const files = readdirSync(logs).map(
    (file) => [file.replace('.log', ''), linesOf(join(logs, file))] as const,
  );
  return { ...Object.fromEntries(files), supervisor: linesOf(join(dataDir, 'output')) };
}

const ended = /! (\S+) ended \((.+?)\); starting it again/;

/** From the supervisor's terminal output. */
export const processEnds = (supervisor: readonly string[]): readonly ProcessEnd[] =>
  supervisor.flatMap((line) => {
    const [, process, how] = ended.exec(line) ?? [];
    return process === undefined || how === undefined ? [] : [{ process, how }];
  });

/** Ids of those that are still alive. */
export const stillAlive = (processes: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(processes)
    .filter(([, pid]) => isAlive(pid))
    .map(([name, pid]) => `${name} (${pid})`);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
