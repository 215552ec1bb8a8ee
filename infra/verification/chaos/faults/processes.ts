import { setTimeout as delay } from 'node:timers/promises';
import { roleNames } from '../../../main/roles/table.ts';
import type { World } from '../world/index.ts';
import { atOnce, type Fault, type Heal } from './fault.ts';

/** What the death of a role must not cause, apart from its restart. */
const expected: Readonly<Record<(typeof roleNames)[number], string>> = {
  'write-api': 'an operation in flight is never dispatched again, a retried create has one effect',
  'read-api': 'reads come back, writes go on',
  projector: 'read models stop and catch up, whole',
  processes: 'reactions happen late and once',
  worker: 'timers fire late, by the sweep at the latest',
  node: 'its sessions are errored within the lease, their slots freed',
  gateway: 'requests on it are cut; nothing behind it notices',
};

/** A process that is being restarted has no id and cannot be killed again. */
export async function kill({ stack, kills }: World, name: string): Promise<void> {
  if (stack.processes[name] === undefined) return;
  kills.push(name);
  await stack.kill(name);
}

const killed = (name: (typeof roleNames)[number]): Fault => ({
  name: `kill ${name}`,
  expected: expected[name],
  weight: name === 'write-api' ? 4 : 2,
  lasts: [0, 0],
  inject: async (world) => {
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
  inject: ({ stack }) => {
    if (stack.processes[name] === undefined) return atOnce;
    stack.pause(name);
    return () => stack.resume(name);
  },
});

type Store = 'event-store' | 'postgres';

const controlOf = ({ stack: { stores } }: World, store: Store) =>
  ({ 'event-store': stores.eventStore, postgres: stores.postgres })[store];

interface Way extends Pick<Fault, 'lasts'> {
  readonly inject: (world: World, store: Store) => Promise<Heal> | Heal;
}

/** Ways in which a store can fail. */
const ways: Readonly<Record<'kill' | 'stop' | 'pause', Way>> = {
  kill: {
    lasts: [0, 0],
    inject: async ({ stack }, store) => {
      await stack.kill(store);
      return atOnce;
    },
  },
  stop: {
    lasts: [500, 4_000],
    inject: async (world, store) => {
      const control = controlOf(world, store);
      await control.stop();
      return () => control.start();
    },
  },
  pause: {
    lasts: [500, 5_000],
    inject: ({ stack }, store) => {
      stack.pause(store);
      return () => stack.resume(store);
    },
  },
};

type StoreFault = readonly [way: keyof typeof ways, store: Store, weight: number, expected: string];

const storeFaults: readonly StoreFault[] = [
  ['kill', 'event-store', 3, 'what was acknowledged is there; writes meanwhile succeed late or answer 503'],
  ['stop', 'event-store', 2, 'writes answer 503 with Retry-After, reads are served'],
  ['pause', 'event-store', 1, 'silence is noticed; appends are sent again and stored once'],
  ['kill', 'postgres', 3, 'the batch in hand is rolled back with its checkpoint; every process survives'],
  ['stop', 'postgres', 2, 'reads answer 503, everything comes back by itself'],
];

const stores = storeFaults.map(([way, store, weight, expected]): Fault => {
  const { lasts, inject } = ways[way];
  return { name: `${way} ${store}`, expected, weight, lasts, inject: (world) => inject(world, store) };
});

const deploy: Fault = {
  name: 'kill every role at once',
  expected: 'all of the above together',
  weight: 1,
  lasts: [0, 0],
  inject: async (world) => {
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
