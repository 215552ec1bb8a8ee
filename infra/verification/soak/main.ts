import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { animate, animationGrowths, describeAnimation } from './animation.ts';
import { growths } from './findings.ts';
import { soakCommand } from './options.ts';
import { barsOf, describeVisited } from './pages/report.ts';
import { visitPages } from './pages/run.ts';
import { asJson, describeSoak, verdictOf } from './report.ts';
import { soak } from './run.ts';

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

/** `npm run soak -- --minutes 20 --rate half`, `… animation --minutes 60`, `… pages --minutes 60 --side-by-side 50` */
await soakCommand({
  load: (options) =>
    reported(async (directory) => {
      const soaked = await soak(options, directory);
      const grown = growths(soaked);
      const text = options.json ? JSON.stringify(asJson(soaked, grown)) : describeSoak(soaked, grown);
      return { text, passed: verdictOf(soaked, grown) !== 'fail' };
    }),
  animation: ({ minutes }) =>
    reported(async (directory) => {
      const animated = await animate(minutes, directory);
      const grown = animationGrowths(animated);
      return { text: describeAnimation(animated, grown), passed: grown.every(({ passed }) => passed) };
    }),
  pages: (options) =>
    reported(async (directory) => {
      const visited = await visitPages(options, directory);
      return { text: describeVisited(visited), passed: barsOf(visited).every(({ holds }) => holds) };
    }),
}).parseAsync();
