import { perform, type Action } from './actions.ts';
import { violations } from './invariants.ts';
import { announcer, deliverer } from './deliverer.ts';
import type { FakeNode } from './fake-fleet.ts';
import { Life } from './life.ts';
import { host, projector, RestartingProcess, worker } from './processes.ts';
import { Requests } from './requests.ts';
import type { Stage } from './stage.ts';
import { World, type Variant } from './world.ts';

/** A run is determined by its scripts and its choices. */
export interface Run {
  /** Actions of each actor, in order; the actors act concurrently. */
  readonly script: readonly (readonly Action[])[];
  /** Bytes that select the next step, and faults. */
  readonly choices: readonly number[];
}

export interface Outcome {
  /** Broken promises as text; none if all is well. */
  readonly violations: readonly string[];
  readonly events: number;
  readonly trace: readonly string[];
}

/** Milliseconds in which pending requests, and then sweeps and retries, must end after the last fault. */
const endingMs = 5000;
const sweepingMs = 260_000;
/** Longer than any lease, and further than any clock was moved back. */
const everyLeaseMs = 3 * 3_600_000;
const heartbeatMs = 30_000;

/** Runs the service on fakes, lets it settle, and judges what the store and the driver saw. */
export async function simulate(
  { script, choices }: Run,
  { variant = {}, traced = false }: { variant?: Variant; traced?: boolean } = {},
): Promise<Outcome> {
  const world = new World(choices, variant, traced);
  const writers = ['write 0', 'write 1'].map((name) => new RestartingProcess(world, name));
  const others = Object.entries({
    host,
    worker,
    projector,
    'deliverer 0': announcer,
    'deliverer 1': deliverer,
  });
  const requests = new Requests(world, writers);
  const { schedule } = world;
  for (const node of world.fleet.nodes) void keepBeating(world, requests, node);

  const processes = [...writers, ...others.map(([name, start]) => new RestartingProcess(world, name, start))];
  const actors = script.map((actions, index) =>
    act({ world, requests, processes, writer: index % writers.length }, actions, index),
  );
  let isDone = false;
  const acted = Promise.all(actors).then(() => (isDone = true));
  await schedule.run(
    () => Infinity,
    () => isDone,
  );
  await acted;
  schedule.calm();
  await settle(world, endingMs);
  world.clock.jump(everyLeaseMs);
  await settle(world, sweepingMs);
  await askAgain(world, requests);
  await settle(world, endingMs);
  return {
    violations: violations(world),
    events: world.store.log.length,
    trace: schedule.trace ?? [],
  };
}

async function act(stage: Stage, actions: readonly Action[], index: number): Promise<void> {
  const life = new Life(`actor ${index}`);
  for (const { kind, pick } of actions) {
    await stage.world.schedule.turn(life, `${kind} ${pick}`);
    await perform[kind](stage, pick);
  }
}

/** Runs until all processes have been idle for long enough. */
async function settle({ schedule }: World, ms: number): Promise<void> {
  const until = schedule.now + ms;
  await schedule.run(() => until);
}

/** Clients that do not know the outcome of a keyed request repeat it: now there must be an answer. */
async function askAgain(world: World, requests: Requests): Promise<void> {
  const keyed = world.asked.filter(({ key }) => key !== undefined);
  const asking = new Map(keyed.map(({ account, key = '' }) => [`${account} ${key}`, { account, key }]));
  for (const { account, key } of asking.values()) {
    const owner = world.accounts.find(({ id }) => id === account);
    if (owner === undefined) continue;
    let isAnswered = false;
    const answer = requests.createOnce(0, owner, key).then(() => (isAnswered = true));
    await world.schedule.run(
      () => Infinity,
      () => isAnswered,
    );
    await answer;
  }
}

/** Heartbeats of a node: reports its sessions and ends those that the reply names; a lost node reconnects. */
async function keepBeating(world: World, requests: Requests, node: FakeNode): Promise<void> {
  for (;;) {
    const { life } = node;
    await Promise.race([beat(world, requests, node, life), life.ended]);
  }
}

async function beat({ schedule }: World, requests: Requests, node: FakeNode, life: Life): Promise<void> {
  for (;;) {
    await schedule.sleep(life, heartbeatMs);
    node.lastBeat = schedule.now;
    const running = [...node.browsers];
    await requests.other(0, async ({ sessions }) => {
      const gone = await sessions.sessionsToDestroy(node.id, running);
      if (life.alive) for (const session of gone) node.browsers.delete(session);
    });
  }
}
