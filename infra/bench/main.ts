import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import pino from 'pino';
import { describeResult } from './report.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';
import { asJson, judge, type Result } from './verdict.ts';

interface Options {
  readonly json: boolean;
  readonly rounds: number;
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
  .argument(
    '[ids...]',
    `which to run, by the start of the id; all when none is given: ${subjects.map(({ id }) => id).join(', ')}`,
  )
  .option('--json', 'print one JSON object instead of text', false)
  .option('--rounds <n>', 'rounds that count, after one that warms up', integerFrom(1), 5)
  .option('--seed <n>', 'seed of everything made up', integerFrom(0), 1)
  .action(async (ids: readonly string[], options: Options) => {
    const chosen = subjects.filter(({ id }) => ids.length === 0 || ids.some((each) => isCalled(id, each)));
    if (chosen.length === 0) throw new Error(`No subject is called ${ids.join(' or ')}.`);
    const environment = await describeEnvironment(options);
    console.error(`${JSON.stringify(environment)}\n`);
    const results: Result[] = [];
    for (const subject of chosen) {
      const result = await runOne(subject, options);
      results.push(result);
      if (!options.json) console.log(`${describeResult(result)}\n`);
    }
    if (options.json) console.log(JSON.stringify(asJson(results), undefined, 2));
    if (results.some(({ verdict }) => verdict === 'fail')) process.exitCode = 1;
  });

/** `R4` names R4a and R4b, but `R1` not R17. */
const isCalled = (id: string, name: string): boolean =>
  id.startsWith(name) && !/^\d/.test(id.slice(name.length));

async function runOne(subject: Subject, { rounds, seed }: Options): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await judge(subject, { seed, directory, logger: pino({ level: 'warn' }, process.stderr) }, rounds);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What a reader needs to know to compare two runs. */
async function describeEnvironment({ rounds, seed }: Options) {
  const [cpu] = cpus();
  return {
    node: process.version,
    cpus: `${cpus().length} x ${cpu?.model ?? 'unknown'}`,
    dbClient: await versionOf('@eventstore/db-client'),
    grpc: await versionOf('@grpc/grpc-js'),
    rounds,
    seed,
  };
}

async function versionOf(dependency: string): Promise<string> {
  const manifest = new URL(`../../node_modules/${dependency}/package.json`, import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return version;
}

await program.parseAsync();
