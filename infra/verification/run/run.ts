import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Semaphore } from '../../platform/semaphore.ts';
import { filesToRunAgain, without } from './again.ts';
import { passSignalsOn } from './child.ts';
import { passes, runChecks } from './checks.ts';
import { runShard, type Report } from './mocha.ts';
import { isOnlyNamed, select, testFilesIn } from './selection.ts';
import { shardsOf } from './shards.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns the exit status. The last line of output is the count of tests: "N passed, N failed". */
export async function run(root: string, words: readonly string[]): Promise<number> {
  passSignalsOn();
  const all = testFilesIn(root);
  const ordinary = all.filter((file) => !isOnlyNamed(file));
  if (words.length === 0) return runEverything(root, ordinary);
  const { files, unmatched } = select(all, words);
  if (unmatched.length > 0) {
    for (const word of unmatched)
      say(`No test file is called "${word}", is below it, or has it in its path.`);
    return 1;
  }
  say(`${files.length} of ${all.length} test files, without checks, which are part of the whole run.\n`);
  const folder = mkdtempSync(join(tmpdir(), 'service-report-'));
  const reports = await runShards(newTurns(), { root, folder, env: process.env }, files);
  rmSync(folder, { recursive: true });
  return close(reports, []);
}

/** The checks take their turn after the tests. Coverage is optional: it takes a tenth of the time. */
async function runEverything(root: string, files: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'service-report-'));
  const counted = process.env.COVERAGE ? join(folder, 'coverage') : undefined;
  const counting = counted === undefined ? {} : { NODE_V8_COVERAGE: counted };
  const turns = newTurns();
  const [reports, failed] = await Promise.all([
    runShards(turns, { root, folder, env: { ...process.env, ...counting } }, files),
    turns.hold(() => runChecks(root)),
  ]);
  const covered =
    counted === undefined || (await passes(root, ['coverage', 'c8', 'report', '--temp-directory', counted]));
  saySlowest(reports);
  const settled = await runFailedAgain(root, folder, reports);
  rmSync(folder, { recursive: true });
  say(`All of it took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
  return close(settled, covered ? failed : [...failed, 'coverage']);
}

/**
 * Runs the files that failed beside others again, one after the other, with the machine to themselves: the second
 * result counts. Failures of the first are printed, to show tests that depend on the machine's load.
 */
async function runFailedAgain(
  root: string,
  folder: string,
  reports: readonly Report[],
): Promise<readonly Report[]> {
  const files = filesToRunAgain(reports);
  if (files.length === 0) return reports;
  say('\nThese failed beside others, and run again alone:');
  sayFailures(reports);
  const again: Report[] = [];
  for (const [index, file] of files.entries()) {
    const report = join(folder, `again-${index}.json`);
    again.push(await runShard({ name: file, files: [file] }, { root, report, env: process.env }));
  }
  return [...reports.map((report) => without(report, files)), ...again];
}

/**
 * One for each core, since a process of tests starts many others. With one more, they take 40 % more processor time on two cores, and
 * exceed their time limits.
 */
const newTurns = (): Semaphore => new Semaphore(availableParallelism());

const runShards = (
  turns: Semaphore,
  { root, folder, env }: { root: string; folder: string; env: NodeJS.ProcessEnv },
  files: readonly string[],
): Promise<readonly Report[]> =>
  Promise.all(
    shardsOf(files).map((shard, index) =>
      turns.hold(() => runShard(shard, { root, report: join(folder, `${index}.json`), env })),
    ),
  );

const SLOWEST = 30;

/** The slowest process determines the duration of the whole run; the slowest files show where to save time. */
function saySlowest(reports: readonly Report[]): void {
  const files = reports.flatMap((report) => report.files).sort((one, other) => other.ms - one.ms);
  say('\nThe slowest test files:');
  for (const { path, ms } of files.slice(0, SLOWEST)) say(`  ${seconds(ms)}  ${path}`);
  say('\nThe processes that ran them:');
  for (const { name, files } of reports)
    say(`  ${seconds(files.reduce((sum, { ms }) => sum + ms, 0))}  ${name}, ${files.length} files`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`;

function close(reports: readonly Report[], failedChecks: readonly string[]): number {
  const failed = sayFailures(reports);
  const passed = reports.flatMap(({ files }) => files).reduce((sum, file) => sum + file.passed, 0);
  if (failedChecks.length > 0) say(`\nFailed checks: ${failedChecks.join(', ')}`);
  say(`\n${passed} passed, ${failed} failed`);
  return failed + failedChecks.length > 0 ? 1 : 0;
}

/** Returns their number. */
function sayFailures(reports: readonly Report[]): number {
  const failures = reports.flatMap((report) => report.failures);
  for (const [index, { file, text }] of failures.entries()) say(`\n${index + 1}) ${file}\n${text}`);
  return failures.length;
}
