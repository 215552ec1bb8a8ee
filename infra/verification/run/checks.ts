import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { partOfTheRun } from './child.ts';
import { folders } from './selection.ts';

const licences =
  'MIT;MIT-0;ISC;BSD-2-Clause;BSD-3-Clause;0BSD;Apache-2.0;BlueOak-1.0.0;CC0-1.0;CC-BY-3.0;CC-BY-4.0;Python-2.0;PSF-2.0;Unlicense;Zlib;MPL-2.0';

type Check = readonly [title: string, program: string, ...args: string[]];

const checks: readonly Check[] = [
  ['types and lint', 'oxlint'],
  ['format', 'oxfmt', '--check'],
  ['import rules', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...folders],
  [
    'licences',
    'license-checker-rseidelsohn',
    '--excludePrivatePackages',
    '--summary',
    '--onlyAllow',
    licences,
    // Its licence `MPL 2.0` is not a form that the checker knows; none of it is loaded.
    '--excludePackages',
    // The free licence of the fonts has no short name that the checker knows.
    'incremental-encoder@0.0.1;dejavu-fonts-ttf@2.37.3',
  ],
];

/** Most of their objects soon become garbage: fewer collections save a tenth of their time. `GOGC` is of the type checker. */
const env = { ...process.env, NODE_OPTIONS: '--max-semi-space-size=64', GOGC: '400' };

/** Runs every check, one after the other, so that one failure hides none. Returns the titles of those that failed. */
export async function runChecks(root: string): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const check of checks) if (!(await passes(root, check))) failed.push(check[0]);
  return failed;
}

/** Prints the program's output at its end, in one piece: the tests write to the same terminal. */
export async function passes(root: string, [title, program, ...args]: Check): Promise<boolean> {
  const startedAt = performance.now();
  const command = join(root, 'node_modules', '.bin', program);
  const child = partOfTheRun(
    spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'close')) as [number | null];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${title} (${seconds} s)\n${(await output).join('')}`);
  return status === 0;
}
