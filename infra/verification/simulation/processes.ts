import { allPrefixes } from '../../../projections/catalogue.ts';
import { startAfter } from '../../event-store/client/position.ts';
import type { TimerRow as FoldedTimer } from '../../../projections/read-models/timer.ts';
import type { RecordedEvent } from '../../event-store/client/types.ts';
import { sweepLostNodes } from '../../../commands/process-managers/lost-nodes.ts';
import { NodeWatch } from '../../../commands/process-managers/lost-nodes.ts';
import type { DueTimer } from '../../../domain/kit/timer.ts';
import { retryParked, type ReactionPorts } from '../../../commands/process-managers/engine/reactions.ts';
import { repeat, type Sweep } from '../../../commands/process-managers/engine/host.ts';
import { onTimer, sweepTimers, type TimerPorts } from '../../../commands/process-managers/timers.ts';
import { webhookProcesses } from '../../../commands/process-managers/webhook-delivery/index.ts';
import { sessionProcesses } from '../../main/composition/processes.ts';
import { controlPlane, type ControlPlane } from './control-plane.ts';
import { lostDeliveries } from './deliverer.ts';
import { followPorts, keepFollowing, never } from './follow.ts';
import { Life } from './life.ts';
import { replaySource } from './webhook-side.ts';
import { quiet, type World } from './world.ts';

/** A process of the service that can crash, and then restarts with nothing but what others store. */
export class RestartingProcess {
  readonly #world: World;
  readonly #name: string;
  readonly #start: (world: World, life: Life) => ControlPlane | undefined;
  #life: Life;
  #plane: ControlPlane | undefined;

  constructor(
    world: World,
    name: string,
    start: (world: World, life: Life) => ControlPlane | undefined = controlPlane,
  ) {
    this.#world = world;
    this.#name = name;
    this.#start = start;
    this.#life = new Life(name);
    this.#plane = start(world, this.#life);
  }

  crash(): void {
    this.#world.schedule.record(this.#life, 'crashes');
    this.#life.crash();
    this.#life = new Life(this.#name);
    this.#plane = this.#start(this.#world, this.#life);
  }

  /** The process's answer to a request; none if it crashes first. */
  async ask<Answer>(work: (plane: ControlPlane) => Promise<Answer>): Promise<Answer | 'crashed'> {
    if (this.#plane === undefined) throw new Error(`${this.#name} takes no requests`);
    const life = this.#life;
    return Promise.race([work(this.#plane), life.ended]);
  }
}

const sweepMs = 30_000;
/** Few, so that runs reach the limit. */
export const disableAfter = 4;

/** Follows the log, and sweeps. */
export function host(world: World, life: Life): undefined {
  const plane = controlPlane(world, life);
  const webhooks = webhooksOf(world, life, plane);
  const managers = [...managersOf(world, life, plane), ...webhooks.managers];
  const ports = followPorts(world, life, managers, world.checkpoints);
  void keepFollowing(ports);
  const sweeps = [
    ...sweepsOf(world, life, plane, ports),
    ...webhooks.sweeps,
    lostDeliveries(world, life, plane, sweepMs),
  ].filter(({ name }) => name !== world.variant.withoutSweep);
  for (const sweep of sweeps) void repeat(sweep, ports, never());
  return undefined;
}

const managersOf = (world: World, life: Life, plane: ControlPlane) =>
  sessionProcesses(
    {
      ...{ store: world.store.connect(life), runner: plane.runner, clock: world.clock, logger: quiet },
      queues: { timers: world.queue.connect(life) },
    },
    plane,
  ).managers;

const webhooksOf = (world: World, life: Life, { runner }: ControlPlane) =>
  webhookProcesses({
    store: world.store.connect(life),
    runner,
    clock: world.clock,
    now: () => world.schedule.now,
    pause: world.schedule.pauseOf(life),
    wakeUps: world.deliveries.connect(life),
    source: replaySource(world, life),
    logger: quiet,
    disableAfter,
    sweepMs,
  });

function sweepsOf(world: World, life: Life, plane: ControlPlane, reactions: ReactionPorts): readonly Sweep[] {
  const { clock, fleet, reads } = world;
  const { sessions } = plane;
  const watch = new NodeWatch(60_000, sweepMs * 3);
  const running = async () =>
    [...reads.sessions.rows.values()].flatMap(({ id, status, node_id }) => {
      const node = fleet.nodes.find((each) => each.id === node_id);
      return node !== undefined && (status === 'ready' || status === 'busy') ? [{ id, nodeId: node.id }] : [];
    });
  const timers = timerPorts(world, life, plane);
  const lost = { runningSessions: running, clock, registry: fleet.registry, sessions, logger: quiet };
  return [
    { name: 'timers', everyMs: sweepMs, run: (signal) => sweepTimers(timers, signal) },
    { name: 'lost nodes', everyMs: sweepMs, run: () => sweepLostNodes(lost, watch) },
    { name: 'parked reactions', everyMs: sweepMs, run: (signal) => retryParked(reactions, signal) },
  ];
}

/** Handles wake-ups. */
export function worker(world: World, life: Life): undefined {
  const ports = timerPorts(world, life, controlPlane(world, life));
  world.queue.onWakeUp(life, (id) => onTimer(ports, id));
  return undefined;
}

const timerPorts = (
  { schedule, clock, reads }: World,
  life: Life,
  { sessions, agentSessions, orders, runner }: ControlPlane,
): TimerPorts => ({
  ...{ clock, sessions, agentSessions, orders, runner },
  logger: quiet,
  timers: {
    byId: async (id) => {
      await schedule.turn(life, `look up ${id}`);
      const row = reads.timers.rows.get(id);
      return row && queried(row);
    },
    due: async (by, limit, after) => {
      await schedule.turn(life, 'look up due timers');
      const due = [...reads.timers.rows.values()].filter(({ due_at }) => Date.parse(due_at) <= by.getTime());
      const from = due.findIndex(({ id }) => id === after?.id) + 1;
      return due.slice(from, from + limit).map(queried);
    },
  },
});

/** A row as Postgres returns it. */
const queried = (row: FoldedTimer): DueTimer => ({ ...row, due_at: new Date(row.due_at) }) as DueTimer;

/** Applies the log to the read side, in batches, each with its checkpoint. */
export function projector(world: World, life: Life): undefined {
  void project(world, life);
  return undefined;
}

async function project({ store, reads, schedule }: World, life: Life): Promise<void> {
  const from = startAfter(reads.checkpoint);
  let batch: RecordedEvent[] = [];
  for await (const message of store.connect(life).subscribe({ from, prefixes: allPrefixes })) {
    if (message.kind === 'event') batch.push(message.event);
    if (batch.length === 0 || (message.kind === 'event' && batch.length < 4)) continue;
    await schedule.turn(life, `commit a batch of ${batch.length}`);
    reads.commit(batch);
    batch = [];
  }
}
