import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../../testbed/index.ts';
import { percentile, timed } from '../latency.ts';
import { logLogSlope } from '../slope.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';
import { startNodes, type NodesProcess } from './system-nodes.ts';
import { usedBy } from './system-processes.ts';
import { scaled } from './system-scale.ts';
import { onSystem, type SystemUnderTest } from './system-stack.ts';

const bars = { pass: 0.3, stretch: 0.1 };
const largest = scaled(200, 20);
/** The stack's own node is the first. */
const sizes = [1, Math.round(largest / 10), Math.round(largest / 3), largest];
const creates = scaled(150, 40);
const heartbeatMs = 1_000;
const quietMs = scaled(10_000, 4_000);
const lostAfterMs = 5_000;
const environment = {
  HEARTBEAT_INTERVAL: `${heartbeatMs}ms`,
  NODE_STALE_AFTER: `${lostAfterMs}ms`,
  NODE_LOST_AFTER: `${lostAfterMs}ms`,
};

/** From one node to many: cost of a create, cost of heartbeats, and effect of losing a tenth at once. */
export const fleetGrowth: CheckSubject = {
  kind: 'check',
  id: 'fleet-growth',
  title: `growth of a create's CPU time in the write side, 1 to ${largest} nodes`,
  long: true,
  bars,
  unit: 'slope',
  check: (bench) => onSystem(bench, environment, grow),
};

interface Point {
  readonly size: number;
  readonly createMicros: number;
  readonly createP50Ms: number;
  /** Share of a core that the write side uses for heartbeats alone. */
  readonly heartbeatShare: number;
}

async function grow(system: SystemUnderTest): Promise<Finding> {
  const started: NodesProcess[] = [];
  const tenth = Math.max(1, Math.round(largest / 10));
  try {
    // The first measurement is a warm-up.
    await measure(system, 1);
    const points = [await measure(system, 1)];
    for (const [index, size] of sizes.slice(1).entries()) {
      const missing = size - (sizes[index] ?? 0);
      const last = size === largest ? tenth : 0;
      started.push(await startNodes(system.stack, `nodes-${size}`, missing - last));
      if (last > 0) started.push(await startNodes(system.stack, 'doomed', last));
      points.push(await measure(system, size));
    }
    const doomed = started.at(-1);
    if (doomed === undefined) throw new Error('There is nothing to lose.');
    const loss = await lose(system, doomed);
    const slope = logLogSlope(points.map(({ size, createMicros: time }) => ({ size, time })));
    const found = atMost(bars, slope, { ...figuresOf(points), ...loss });
    return { ...found, passed: found.passed && loss.wrongly_errored === 0 };
  } finally {
    await Promise.all(started.map((nodes) => nodes.kill()));
  }
}

/** Measures a fleet of this size. Its sessions stay, so that the lost tenth has some. */
async function measure({ stack, client }: SystemUnderTest, size: number): Promise<Point> {
  const write = () => usedBy({ write: stack.processes['write-api'] ?? 0 }).write?.cpuSeconds ?? 0;
  const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = write();
    await work();
    return write() - before;
  };
  const heartbeats = await cpuOf(() => delay(quietMs));
  const took: number[] = [];
  const startedAt = performance.now();
  const spent = await cpuOf(async () => {
    for (let index = 0; index < Math.max(creates, size); index += 1) took.push(await timed(client.create));
  });
  const share = heartbeats / (quietMs / 1000);
  const meanwhile = share * ((performance.now() - startedAt) / 1000);
  return {
    size,
    createMicros: (Math.max(0.001, spent - meanwhile) * 1e6) / took.length,
    createP50Ms: percentile(took, 0.5),
    heartbeatShare: share,
  };
}

/**
 * Kills a process of nodes. Returns how long until all of their sessions are errored, and how many other sessions are.
 */
async function lose({ stores }: SystemUnderTest, doomed: NodesProcess) {
  const client = new pg.Client({ connectionString: stores.postgres });
  await client.connect();
  const count = async (condition: string): Promise<number> => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from read_model.sessions where ${condition}`,
      [doomed.ids],
    );
    return rows[0]?.count ?? 0;
  };
  try {
    const running = await count(`node_id = any($1) and status = 'ready'`);
    const took = await timed(async () => {
      await doomed.kill();
      await until(async () => (await count(`node_id = any($1) and status <> 'errored'`)) === 0, {
        limitMs: 60_000,
        everyMs: 50,
      });
    });
    return {
      lost_nodes: doomed.ids.length,
      lost_sessions: running,
      all_errored_after_ms: took,
      beyond_the_lease_ms: took - lostAfterMs,
      wrongly_errored: await count(`node_id <> all($1) and status = 'errored'`),
    };
  } finally {
    await client.end();
  }
}

const figuresOf = (points: readonly Point[]) =>
  Object.fromEntries(
    points.flatMap(({ size, createMicros, createP50Ms, heartbeatShare }) => [
      [`create_us_${size}`, createMicros],
      [`create_p50_ms_${size}`, createP50Ms],
      [`heartbeats_core_share_${size}`, heartbeatShare],
      [`heartbeat_us_${size}`, (heartbeatShare * 1e6 * heartbeatMs) / 1000 / size],
    ]),
  );
