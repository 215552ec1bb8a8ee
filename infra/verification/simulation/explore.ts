import { inspect } from 'node:util';
import fc from 'fast-check';
import { runs as runsOf, type Subject } from './generate.ts';
import { simulate, type Run } from './simulate.ts';
import type { Variant } from './world.ts';

export interface Exploration {
  readonly seed: number;
  readonly runs: number;
  /** The subject of the runs; by default half of them are of either. */
  readonly subject?: Subject;
  /** Path of one run of the seed, from a report: only that one is repeated. */
  readonly path?: string;
  readonly variant?: Variant;
  /** Stops after so many milliseconds, even before `runs`. */
  readonly withinMs?: number;
  /** Whether to shrink the run that breaks a promise; otherwise the first one found is returned. */
  readonly shrinks?: boolean;
}

export interface Found {
  readonly failed: boolean;
  readonly runs: number;
  /** Text output: the rate, or the seed, the shrunk script and its trace. */
  readonly report: string;
}

class BrokenPromises extends Error {}

/** Simulates runs until one breaks a promise, and then shrinks it to the simplest that still does. */
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
  // Of an unexpected error the stack is of interest, of a broken promise only the message.
  const why = errorInstance instanceof BrokenPromises ? errorInstance.message : inspect(errorInstance);
  return [
    `seed ${seed}, path ${counterexamplePath ?? ''}`,
    why,
    ...script,
    `choices ${JSON.stringify(simplest.choices)}`,
    ...trace.map((line) => `  ${line}`),
  ].join('\n');
}
