import { inspect } from 'node:util';
import fc from 'fast-check';
import { runs as runsOf, type Subject } from './generate.ts';
import { simulate, type Run } from './simulate.ts';
import type { Variant } from './world.ts';

export interface Exploration {
  readonly seed: number;
  readonly runs: number;
  /** What the runs are about; by default half of them are about either. */
  readonly subject?: Subject;
  /** Of one run of the seed, as a report named it: only that one is run again. */
  readonly path?: string;
  readonly variant?: Variant;
  /** Stops sooner than `runs` after so many milliseconds. */
  readonly withinMs?: number;
  /** Whether to look for the simplest run that breaks a promise; the first one will do otherwise. */
  readonly shrinks?: boolean;
}

export interface Found {
  readonly failed: boolean;
  readonly runs: number;
  /** For people: the rate, or the seed, the shrunk script and everything that happened in it. */
  readonly report: string;
}

class BrokenPromises extends Error {}

/** Simulates one run after the other until a promise is broken, and then looks for the simplest run that breaks it. */
export async function explore({
  seed,
  runs,
  subject,
  path,
  variant = {},
  withinMs,
  shrinks = true,
}: Exploration): Promise<Found> {
  let done = 0;
  const startedAt = performance.now();
  const run = subject === undefined ? fc.oneof(...Object.values(runsOf)) : runsOf[subject];
  const keepsPromises = fc.asyncProperty(run, async (each) => {
    const { violations } = await simulate(each, { variant });
    done += 1;
    if (violations.length > 0) throw new BrokenPromises(violations.join('\n'));
  });
  const details = await fc.check(keepsPromises, {
    seed,
    numRuns: runs,
    endOnFailure: !shrinks,
    ...(path !== undefined && { path }),
    ...(withinMs !== undefined && { plugins: [fc.interruptAfterTimeLimit(withinMs) as fc.Plugin<[Run]>] }),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = `${done} interleavings in ${seconds.toFixed(1)} s (${Math.round(done / seconds)} a second), seed ${seed}`;
  const simplest = details.counterexample?.[0];
  if (simplest === undefined) return { failed: false, runs: details.numRuns, report: rate };
  return { failed: true, runs: details.numRuns, report: await tell(simplest, variant, details) };
}

async function tell(
  simplest: Run,
  variant: Variant,
  { seed, counterexamplePath, errorInstance }: fc.RunDetails<[Run]>,
): Promise<string> {
  const { trace } = await simulate(simplest, { variant, traced: true }).catch((error: unknown) => ({
    trace: [`it ended with ${String(error)}`],
  }));
  const script = simplest.script.map(
    (actions, actor) => `  actor ${actor}: ${actions.map(({ kind, pick }) => `${kind} ${pick}`).join(', ')}`,
  );
  // Where in the service an unexpected error comes from is worth knowing; where the promises are judged is not.
  const why = errorInstance instanceof BrokenPromises ? errorInstance.message : inspect(errorInstance);
  return [
    `seed ${seed}, path ${counterexamplePath ?? ''}`,
    why,
    ...script,
    `choices ${JSON.stringify(simplest.choices)}`,
    ...trace.map((line) => `  ${line}`),
  ].join('\n');
}
