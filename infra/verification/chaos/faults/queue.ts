import { Redis } from 'ioredis';
import type { World } from '../world/index.ts';
import { openAnnouncer } from '../workload/announcer.ts';
import { atOnce, type Fault, type Heal } from './fault.ts';

/** BullMQ may lose everything: the sweep finds what is due without wake-ups. */
const expected =
  'timers fire and deliveries are attempted late, by the sweeps; none is lost and none comes early';

async function flush({ stack }: World): Promise<void> {
  const redis = new Redis(stack.stores.redis?.url ?? '');
  await redis.flushall();
  redis.disconnect();
}

/** Makes the server unreachable, and empties it before it is reachable again. */
function disconnect(world: World): Heal {
  const link = world.stack.link('redis');
  link.refuse();
  link.cut();
  return async () => {
    await flush(world);
    await link.heal();
  };
}

const MINUTE_MS = 60_000;

export const queueFaults: readonly Fault[] = [
  {
    name: 'wipe the queue (FLUSHALL)',
    expected,
    weight: 3,
    lasts: [0, 0],
    queue: 'redis',
    inject: async (world) => {
      await flush(world);
      return atOnce;
    },
  },
  {
    name: 'redis away, and empty when it is back',
    expected,
    weight: 2,
    lasts: [2_000, 8_000],
    queue: 'redis',
    inject: disconnect,
  },
  {
    name: 'redis away for a minute, and thousands of deliveries with it',
    expected: 'all of them are attempted within a minute of its return, and none early',
    weight: 3,
    lasts: [MINUTE_MS, MINUTE_MS],
    queue: 'redis',
    restMs: MINUTE_MS,
    inject: async (world) => {
      const announce = await openAnnouncer(world);
      const heal = disconnect(world);
      const announced = announce();
      return async () => {
        await announced;
        await heal();
      };
    },
  },
  {
    name: 'wipe the queue (drop its schema)',
    expected,
    weight: 3,
    lasts: [0, 0],
    queue: 'postgres',
    inject: async ({ operator }) => {
      await operator.pool.query('drop schema if exists bullmq cascade');
      return atOnce;
    },
  },
];
