import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserPackages, needDebianPackages } from '../../main/bootstrap/debian-packages.mjs';
import { soakCommand } from './options.ts';

interface Outcome {
  readonly text: string;
  readonly passed: boolean;
}

/** Prints the result. The directory is removed after the work. */
async function reported(work: (directory: string) => Promise<Outcome>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'soak-'));
  try {
    const { text, passed } = await work(directory);
    process.stdout.write(`${text}\n`);
    if (!passed) process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

const withBrowsers =
  <Options>(run: (options: Options) => Promise<void>) =>
  (options: Options): Promise<void> => {
    needDebianPackages(browserPackages, 'It runs real browsers.');
    return run(options);
  };

// An interrupted run ends what it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * `npm run soak -- --minutes 20 --rate half`, `… animation --minutes 60`, `… pages --minutes 60 --side-by-side 50`. Each is
 * loaded only when it runs, because that takes seconds.
 */
await soakCommand({
  load: (options) =>
    reported(async (directory) => {
      const { soak } = await import('./run.ts');
      const { growths } = await import('./findings.ts');
      const { asJson, describeSoak, verdictOf } = await import('./report.ts');
      const result = await soak(options, directory);
      const grown = growths(result);
      const text = options.json ? JSON.stringify(asJson(result, grown)) : describeSoak(result, grown);
      return { text, passed: verdictOf(result, grown) !== 'fail' };
    }),
  animation: withBrowsers(({ minutes }) =>
    reported(async (directory) => {
      const { animate, animationGrowths, describeAnimation } = await import('./animation.ts');
      const result = await animate(minutes, directory);
      const grown = animationGrowths(result);
      return { text: describeAnimation(result, grown), passed: grown.every(({ passed }) => passed) };
    }),
  ),
  pages: withBrowsers((options) =>
    reported(async (directory) => {
      const { visitPages } = await import('./pages/run.ts');
      const { barsOf, describePages } = await import('./pages/report.ts');
      const result = await visitPages(options, directory);
      return { text: describePages(result), passed: barsOf(result).every(({ holds }) => holds) };
    }),
  ),
}).parseAsync();
