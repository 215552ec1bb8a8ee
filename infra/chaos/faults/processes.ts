import { setTimeout as delay } from 'node:timers/promises';
import { roleNames } from '../../main/roles/table.ts';
import type { World } from '../world/index.ts';
import { atOnce, type Fault } from './fault.ts';

/** What a role's death must not do, beside its coming back by itself. */
const expected: Readonly<Record<(typeof roleNames)[number], string>> = {
  'write-api': 'an operation in flight is never dispatched again, a retried create has one effect',
  'read-api': 'reads come back, writes go on',
  projector: 'read models stop and catch up, whole',
  processes: 'reactions happen late and once',
  worker: 'timers fire late, by the sweep at the latest',
  node: 'its sessions are errored within the lease, their slots freed',
  gateway: 'requests on it are cut; nothing behind it notices',
};

/** A process that is just being started again has no id: it is down already, and cannot be killed a second time. */
async function kill({ stack, kills }: World, name: string): Promise<void> {
  if (stack.processes[name] === undefined) return;
  kills.push(name);
  await stack.kill(name);
}

const killed = (name: (typeof roleNames)[number]): Fault => ({
  name: `kill ${name}`,
  expected: expected[name],
  weight: name === 'write-api' ? 4 : 2,
  lasts: [0, 0],
  inflict: async (world) => {
    await kill(world, name);
    return atOnce;
  },
});

const paused = (name: (typeof roleNames)[number]): Fault => ({
  name: `pause ${name}`,
  expected:
    'as if it were slow: whoever waits for it gives up in time, and what it does afterwards is not too late to be right',
  weight: 1,
  lasts: [500, 4_000],
  inflict: ({ stack }) => {
    if (stack.processes[name] === undefined) return atOnce;
    stack.pause(name);
    return () => stack.resume(name);
  },
});

const stores: readonly Fault[] = [
  {
    name: 'kill event-store',
    expected: 'what was acknowledged is there afterwards; writes meanwhile succeed late or answer 503',
    weight: 3,
    lasts: [0, 0],
    inflict: async ({ stack }) => {
      await stack.kill('event-store');
      return atOnce;
    },
  },
  {
    name: 'stop event-store for a while',
    expected: 'writes answer 503 with Retry-After, reads are served',
    weight: 2,
    lasts: [500, 4_000],
    inflict: async ({ stack }) => {
      await stack.stores.eventStore.stop();
      return () => stack.stores.eventStore.start();
    },
  },
  {
    name: 'pause event-store',
    expected: 'silence is noticed, appends of unknown outcome are sent again and stored once',
    weight: 1,
    lasts: [500, 5_000],
    inflict: ({ stack }) => {
      stack.pause('event-store');
      return () => stack.resume('event-store');
    },
  },
  {
    name: 'crash postgres',
    expected: 'the batch in hand is rolled back with its checkpoint; every process survives',
    weight: 3,
    lasts: [0, 0],
    inflict: async ({ stack }) => {
      await stack.kill('postgres');
      return atOnce;
    },
  },
  {
    name: 'stop postgres for a while',
    expected: 'reads answer 503, everything comes back by itself',
    weight: 2,
    lasts: [500, 3_000],
    inflict: async ({ stack }) => {
      await stack.stores.postgres.stop();
      return () => stack.stores.postgres.start();
    },
  },
];

const deploy: Fault = {
  name: 'kill every role at once',
  expected: 'all of the above together',
  weight: 1,
  lasts: [0, 0],
  inflict: async (world) => {
    await Promise.all(roleNames.map((name) => kill(world, name)));
    await delay(100);
    return atOnce;
  },
};

export const processFaults: readonly Fault[] = [
  ...roleNames.map(killed),
  ...roleNames.map(paused),
  ...stores,
  deploy,
];
