import { Redis } from 'ioredis';
import { atOnce, type Fault } from './fault.ts';

/** Everything BullMQ holds may go: what it would have woken up is found by the sweep. */
const expected = 'timers fire late, by the sweep; none is lost and none fires early';

export const queueFaults: readonly Fault[] = [
  {
    name: 'wipe the queue (FLUSHALL)',
    expected,
    weight: 3,
    lasts: [0, 0],
    queue: 'redis',
    inflict: async ({ stack }) => {
      const redis = new Redis(stack.stores.redis?.url ?? '');
      await redis.flushall();
      redis.disconnect();
      return atOnce;
    },
  },
  {
    name: 'wipe the queue (drop its schema)',
    expected,
    weight: 3,
    lasts: [0, 0],
    queue: 'postgres',
    inflict: async ({ operator }) => {
      await operator.pool.query('drop schema if exists bullmq cascade');
      return atOnce;
    },
  },
];
