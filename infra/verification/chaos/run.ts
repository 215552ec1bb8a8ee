import { setTimeout as delay } from 'node:timers/promises';
import { drain, serveAgain } from './drain.ts';
import { queryEffects } from './evidence/queried-effects.ts';
import { queryPasts } from './evidence/pasts.ts';
import { gatherAtRest, gatherLogs } from './evidence/gather.ts';
import { startWatching } from './evidence/live.ts';
import type { Evidence } from './evidence/index.ts';
import { stillAlive } from './evidence/processes.ts';
import { startSampling } from './evidence/sampling.ts';
import { planFaults, type PlannedFault } from './faults/plan.ts';
import { injectAll } from './faults/schedule.ts';
import { faults } from './faults/table.ts';
import { keepHistory } from './history.ts';
import type { Violation } from './invariants/invariant.ts';
import { invariants } from './invariants/table.ts';
import { openWorkload } from './workload/index.ts';
import { startWorld, type Browsers, type QueueKind, type World } from './world/index.ts';

export interface RunOptions {
  readonly seed: number;
  /** Duration of workload and faults, in milliseconds. */
  readonly runMs: number;
  readonly queue: QueueKind;
  readonly browsers: Browsers;
  readonly dataDir: string;
  /** Only faults whose names contain this. */
  readonly only?: string;
  /** Only actors whose names contain this. */
  readonly who?: string;
  readonly say: (line: string) => void;
}

export interface Verdict {
  readonly evidence: Evidence;
  readonly violations: readonly { readonly invariant: string; readonly violation: Violation }[];
}

export const planOf = ({
  seed,
  runMs,
  queue,
  only = '',
}: Omit<RunOptions, 'dataDir' | 'say'>): readonly PlannedFault[] =>
  planFaults(
    seed,
    runMs,
    queue,
    faults.filter(({ name }) => name.includes(only)),
  );

/** Runs a random workload under random faults and a drain, then checks every invariant on the evidence. */
export async function run(options: RunOptions): Promise<Verdict> {
  const { queue, browsers, dataDir, say } = options;
  say(`starting, queue on ${queue}, data in ${dataDir}`);
  const world = await startWorld(queue, dataDir, browsers);
  const left: { processes?: Readonly<Record<string, number>> } = {};
  try {
    const before = await underFaults(world, options);
    left.processes = world.stack.processes;
    const exitStatus = await end(world);
    const leftovers = stillAlive(left.processes);
    return judge({ ...before, ...gatherLogs(dataDir), exitStatus, leftovers });
  } finally {
    if (left.processes === undefined) {
      keepHistory(dataDir, world.history.exchanges);
      await world.stack.heal();
      await end(world);
    }
  }
}

type BeforeStop = Omit<Evidence, 'processLogs' | 'ends' | 'exitStatus' | 'leftovers'>;

async function underFaults(world: World, options: RunOptions): Promise<BeforeStop> {
  const { seed, runMs, say } = options;
  const workload = await openWorkload(world, seed, options.who);
  await world.stack.ready();
  const sampling = startSampling(world.operator.pool);
  const watching = startWatching(world);
  const over = new AbortController();
  const schedule = injectAll(world, planOf(options), seed);
  const playing = workload.run(over.signal);
  await Promise.all([delay(runMs), schedule.done]);
  over.abort();
  watching.look();
  await playing;
  say(`${world.history.exchanges.length} requests under ${schedule.injected.length} faults; draining`);
  await drain(world, workload.players);
  const unserved = await serveAgain(world, workload.players);
  await drain(world, workload.players);
  const live = await watching.stop();
  const pasts = await queryPasts(world.history.exchanges, workload.players);
  const queriedEffects = await queryEffects(world.history.exchanges, workload.players);
  say('judging');
  const canaries = workload.canaries();
  const atRest = await gatherAtRest(world, canaries);
  // After reading the log: heads are anchored at rest, too, and the last sample must include those.
  await sampling.stop();
  const { injected } = schedule;
  const { samples } = sampling;
  return {
    ...atRest,
    faults: injected,
    samples,
    live,
    pasts,
    queriedEffects,
    unserved,
    canaries,
  };
}

const judge = (evidence: Evidence): Verdict => ({
  evidence,
  violations: invariants.flatMap(({ id, violations }) =>
    violations(evidence).map((violation) => ({ invariant: id, violation })),
  ),
});

/** Stops the service and everything else. Returns the service's exit status. */
async function end({
  operator,
  stack,
  receivers,
  mailbox,
  model,
  payments,
  mailLink,
  site,
}: World): Promise<number | null> {
  await operator.close().catch(() => undefined);
  const status = await stack.stop();
  await Promise.all([receivers.close(), model.close(), payments.close(), mailLink.close(), site.close()]);
  await mailbox.close();
  return status;
}
