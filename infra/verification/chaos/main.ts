import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { browserPackages, needDebianPackages, redisPackages } from '../../main/bootstrap/debian-packages.mjs';
import type { RunOptions } from './run.ts';
import type { Browsers, QueueKind } from './world/index.ts';

interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly queue: QueueKind;
  readonly browsers: Browsers;
  readonly only?: string;
  readonly who?: string;
}

const numberFrom = (least: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < least) throw new InvalidArgumentError(`a number from ${least} up.`);
  return value;
};

/** `npm run chaos -- --seed N --minutes M [--queue redis|postgres] [--browsers simulated|webkit]` */
const program = new Command('chaos')
  .description(
    'Runs the whole service under a random workload and random faults, and judges it from outside.',
  )
  .option('--seed <n>', 'fixes the workload and the faults', numberFrom(0), Date.now() % 1_000_000)
  .option('--minutes <n>', 'how long', numberFrom(0.05), 3)
  .addOption(
    new Option('--queue <kind>', 'where the queue is').choices(['postgres', 'redis']).default('postgres'),
  )
  .addOption(
    new Option('--browsers <kind>', 'with `webkit`, real browsers on hostile and ordinary pages')
      .choices(['simulated', 'webkit'])
      .default('simulated'),
  )
  .option('--only <text>', 'only faults whose names contain this')
  .option('--who <text>', 'only actors whose names contain this')
  .action(chaos);

async function chaos({ seed, minutes, queue, browsers, only, who }: Options): Promise<void> {
  const packages = {
    ...(queue === 'redis' && redisPackages),
    ...(browsers === 'webkit' && browserPackages),
  };
  needDebianPackages(packages, 'It runs the service on real parts.');
  // Loaded only now, because it takes seconds.
  const { run } = await import('./run.ts');
  const { keepIfFailed, repeatCommand, report, schedule } = await import('./report.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'service-chaos-'));
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const options: RunOptions = {
    seed,
    runMs: minutes * 60_000,
    queue,
    browsers,
    dataDir,
    say,
    ...(only !== undefined && { only }),
    ...(who !== undefined && { who }),
  };
  say(`seed ${seed}`);
  try {
    const verdict = await run(options);
    keepIfFailed(dataDir, verdict);
    report(options, verdict).forEach(say);
    if (verdict.violations.length > 0) process.exitCode = 1;
  } catch (error) {
    say(`The run could not be judged. Repeat it: ${repeatCommand(options)}`);
    schedule(options).forEach(say);
    say(`The data directory is kept: ${dataDir}`);
    throw error;
  }
}

// An interrupted run ends what it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await program.parseAsync();
process.exit();
