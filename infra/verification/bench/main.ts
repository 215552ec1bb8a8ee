import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import pino from 'pino';
import { ensureDebianPackages, installCommand, testPackages } from '../../main/bootstrap/debian-packages.mjs';
import { messageOf } from '../../platform/error-message.ts';
import { chooseSubjects, listIds } from './choose.ts';
import { describeEnvironment } from './environment.ts';
import { asMarkdown, asTable, describeResult } from './report.ts';
import type { BenchRun, Subject } from './subject.ts';
import { subjects } from './subjects.ts';
import { asJson, judge, type Effort, type Result, type Verdict } from './verdict.ts';

interface Options {
  readonly json: boolean;
  readonly markdown: boolean;
  readonly rounds: number;
  readonly attempts: number;
  readonly seed: number;
}

const integerFrom = (least: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new InvalidArgumentError(`an integer from ${least} up.`);
  return value;
};

const program = new Command('bench')
  .description('Measures our code against the same work done raw, in one run on one machine.')
  .argument('[ids...]', `which to run, by the start of the id: ${listIds(subjects)}`)
  .option('--json', 'print one JSON object instead of text', false)
  .option('--markdown', 'print the table of docs/performance.md instead of text', false)
  .option('--rounds <n>', 'rounds that count, after one that warms up', integerFrom(1), 5)
  .option('--attempts <n>', 'how often to measure while the control is off', integerFrom(1), 3)
  .option('--seed <n>', 'seed of everything made up', integerFrom(0), 1)
  .addHelpText(
    'after',
    `\nWithout ids all are run but those that take minutes or belong to one feature: ${listIds(subjects.filter(({ long }) => long))}.`,
  )
  .action(async (ids: readonly string[], options: Options) => {
    const chosen = choose(ids);
    const { json, markdown, rounds, seed } = options;
    const missing = ensureDebianPackages(testPackages);
    if (missing.length > 0)
      console.error(`What needs them is not measured. Missing: ${installCommand(missing)}`);
    console.error(`${JSON.stringify({ ...(await describeEnvironment()), rounds, seed })}\n`);
    const results: Result[] = [];
    // Results so far are printed however the run ends.
    process.once('exit', () => {
      if (json) console.log(JSON.stringify(asJson(results), undefined, 2));
      else console.log(markdown ? asMarkdown(results) : asTable(results));
    });
    await runAll(chosen, options, (result, seconds) => {
      results.push(result);
      const isSaid = (!json && !markdown) || result.kind === 'unmeasured';
      const summary = isSaid
        ? `${describeResult(result)}    took ${seconds} s\n`
        : `${result.id} took ${seconds} s`;
      (json || markdown ? console.error : console.log)(summary);
    });
    if (results.some(({ verdict }) => failed.includes(verdict))) process.exitCode = 1;
  });

const failed: readonly Verdict[] = ['fail', 'not measured'];

function choose(ids: readonly string[]): readonly Subject[] {
  try {
    return chooseSubjects(subjects, ids);
  } catch (error) {
    return program.error(messageOf(error));
  }
}

/** Runs the subjects one after the other, so that they do not disturb each other's measurements. */
async function runAll(
  chosen: readonly Subject[],
  { seed, ...effort }: Options,
  done: (result: Result, seconds: number) => void,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const run: BenchRun = { seed, directory, logger: pino({ level: 'warn' }, process.stderr) };
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  for (const subject of chosen) {
    const startedAt = performance.now();
    const result = await runOne(subject, run, effort);
    done(result, Math.round((performance.now() - startedAt) / 1000));
  }
}

async function runOne(subject: Subject, run: BenchRun, effort: Effort): Promise<Result> {
  const directory = await mkdtemp(join(run.directory, 'subject-'));
  try {
    return await judge(subject, { ...run, run, directory }, effort);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// An interrupted run ends what it started and leaves nothing behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

await program.parseAsync();
// A failed subject may have left handles that would keep the process alive.
process.exit();
