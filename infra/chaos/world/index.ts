import { join } from 'node:path';
import { startFaultyStack, type FaultyStack } from '../../testbed/faulty-stack.ts';
import { linkNames, type LinkName } from '../../testbed/stack-links.ts';
import { History } from '../history.ts';
import { createClock, type Clock } from './clock.ts';
import { openOperator, type Operator } from './operator.ts';

export type QueueKind = 'redis' | 'postgres';

/** The service under test with everything that can be done to it, and what was done. */
export interface World {
  readonly stack: FaultyStack;
  readonly queue: QueueKind;
  readonly operator: Operator;
  readonly clock: Clock;
  readonly history: History;
  readonly driverLog: string;
  /** Processes that were killed on purpose, one entry a kill. */
  readonly kills: string[];
}

/** The contract's durations, shortened so that what a fault leaves behind settles within a run. */
const durations = {
  HEARTBEAT_INTERVAL: '250ms',
  NODE_STALE_AFTER: '4s',
  NODE_LOST_AFTER: '6s',
  CREATION_DEADLINE: '4s',
  CREATION_LEASE: '7s',
  SLOT_LEASE: '5s',
  FREE_SESSION_LIMIT: '3s',
  SWEEP_INTERVAL: '500ms',
  OPERATION_TIMEOUT: '3s',
  NODE_OPERATION_GRACE: '1s',
  OPERATION_TIMEOUT_GRACE: '2s',
  APPEND_DEADLINE: '4s',
  KEY_CACHE_TTL: '1s',
};

export async function startWorld(queue: QueueKind, dataDir: string): Promise<World> {
  const driverLog = join(dataDir, 'driver.log');
  const clock = createClock(dataDir);
  const env = {
    ...durations,
    DRIVER_LOG: driverLog,
    RATE_LIMITS: 'off',
    NODE_CAPACITY: '200',
    ...clock.environment,
  };
  const through = linkNames.filter((name: LinkName) => name !== 'redis' || queue === 'redis');
  const stack = await startFaultyStack({ dataDir, env, through, limitMs: 120_000 });
  const operator = openOperator(stack);
  return { stack, queue, operator, clock, history: new History(), driverLog, kills: [] };
}
