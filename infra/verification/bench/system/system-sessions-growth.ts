import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../commands/engine/context.ts';
import { createRunner } from '../../../../commands/engine/runner.ts';
import { createSessionCommands, type SessionCommands } from '../../../../commands/session/index.ts';
import { testLimits } from '../../../../commands/session/testing.ts';
import { archetypeCatalogue } from '../../../../contracts/archetypes.ts';
import { refuse } from '../../../../contracts/problems.ts';
import { toId, type SessionId } from '../../../../contracts/ids.ts';
import { systemClock, systemPause } from '../../../platform/clock.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { inFlight } from '../load.ts';
import { logLogSlope } from '../slope.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { scaled } from './system-scale.ts';
import { instantFleet } from '../write-side.ts';

const bars = { pass: 0.25, stretch: 0.05 };
const sizes = [1, 100, scaled(10_000, 1_000)];
const measured = 300;
const atOnce = 32;
const manyAccounts = 500;

/** CPU time of a create and an operation with that many live sessions, by process. */
export const sessionsGrowth: CheckSubject = {
  kind: 'check',
  id: 'sessions-growth',
  title: `growth of a create's and an operation's CPU time, ${sizes.join(', ')} live sessions`,
  long: true,
  bars,
  unit: 'slope',
  async check(bench) {
    const ofOne = await series(bench, 'one', 1);
    const ofMany = await series(bench, 'many', manyAccounts);
    const slopes = { ...slopesOf('one', ofOne), ...slopesOf('many', ofMany) };
    return atMost(bars, Math.max(...Object.values(slopes)), {
      ...slopes,
      ...figuresOf('one', ofOne),
      ...figuresOf('many', ofMany),
    });
  },
};

interface Point {
  readonly size: number;
  readonly createMicros: number;
  readonly operateMicros: number;
}

/** Adds sessions up to each size, then measures; sessions of the measurement are ended again. */
async function series({ directory, logger }: Bench, name: string, accounts: number): Promise<Point[]> {
  const process = await startStoreProcess(`${directory}/${name}`);
  const store = connectEventStore({ url: process.url, logger });
  const commands = createSessionCommands({
    runner: createRunner({ store, logger, cacheEntries: 50_000 }),
    fleet: instantFleet().fleet,
    clock: systemClock,
    pause: systemPause,
    proxies: { open: () => Promise.reject(refuse('not-found')), probe: () => Promise.resolve(null) },
    archetypes: archetypeCatalogue,
    limits: testLimits,
    logger,
  });
  const owners = Array.from({ length: accounts }, () => toId('account', randomUUID()));
  const live: Owned[] = [];
  const points: Point[] = [];
  try {
    for (const size of sizes) {
      const missing = size - live.length;
      await inFlight(missing, atOnce, async (index) => void live.push(await create(commands, owners, index)));
      // The first measurement is a warm-up.
      if (points.length === 0) await measure(commands, owners, live);
      points.push({ size, ...(await measure(commands, owners, live)) });
    }
    return points;
  } finally {
    await store.close();
    await process.stop();
  }
}

type Owners = readonly Caller['accountId'][];

interface Owned {
  readonly caller: () => Caller;
  readonly session: SessionId;
}

async function create(commands: SessionCommands, owners: Owners, index: number): Promise<Owned> {
  const accountId = owners[index % owners.length];
  if (accountId === undefined) throw new Error('There is no account.');
  const caller = () => callerOf(accountId);
  const session = toId('session', randomUUID());
  await commands.create(caller(), session, {});
  return { caller, session };
}

async function measure(commands: SessionCommands, owners: Owners, live: readonly Owned[]) {
  const created: Owned[] = [];
  const createMicros = await cpuOf(measured, async (index) => {
    created.push(await create(commands, owners, index));
  });
  const operateMicros = await cpuOf(measured, async (index) => {
    const { caller, session } = live[index % live.length] ?? fail();
    const asked = caller();
    const owned = await commands.find(asked, session);
    await commands.operate(asked, owned, 'navigate', { url: 'http://sim.test/' });
  });
  await inFlight(created.length, atOnce, async (index) => {
    const { caller, session } = created[index] ?? fail();
    const asked = caller();
    await commands.destroy(asked, await commands.find(asked, session));
  });
  return { createMicros, operateMicros };
}

/** Runs `work` `count` times, one after the other. Returns this process's CPU microseconds per run. */
async function cpuOf(count: number, work: (index: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await inFlight(count, 1, work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function fail(): never {
  throw new Error('There is no session.');
}

function callerOf(accountId: Caller['accountId']): Caller {
  const keyId = toId('apiKey', randomUUID());
  const commandId = randomUUID();
  return {
    accountId,
    actorId: accountId,
    kind: 'api_key',
    webSessionId: null,
    freshUntil: null,
    tier: 'enterprise',
    concurrentSessions: 1_000_000,
    profileCap: 5000,
    keyId,
    scopes: ['read', 'write'],
    context: {
      commandId,
      correlationId: commandId,
      causationId: 'bench',
      by: 'request:bench',
      actor: { kind: 'api_key', account_id: accountId, actor_key_id: keyId },
      requestId: null,
    },
  };
}

const slopesOf = (name: string, points: readonly Point[]) => ({
  [`create_slope_${name}`]: logLogSlope(points.map(({ size, createMicros: time }) => ({ size, time }))),
  [`operate_slope_${name}`]: logLogSlope(points.map(({ size, operateMicros: time }) => ({ size, time }))),
});

const figuresOf = (name: string, points: readonly Point[]) =>
  Object.fromEntries(
    points.flatMap(({ size, createMicros, operateMicros }) => [
      [`create_us_${size}_${name}`, createMicros],
      [`operate_us_${size}_${name}`, operateMicros],
    ]),
  );
