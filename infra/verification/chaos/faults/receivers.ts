import { setTimeout as delay } from 'node:timers/promises';
import { answerNothing, answerWith, reset, until, type Answer } from '../../testbed/index.ts';
import type { World } from '../world/index.ts';
import { atOnce, type Fault } from './fault.ts';
import { kill } from './processes.ts';

const lasts = [500, 4_000] as const;

/** Behaviour of all receivers during the fault, as if all customers had the same provider. */
const ways: Readonly<Record<string, Answer>> = {
  hang: answerNothing,
  reset,
  'answer 500': answerWith(500),
  'redirect elsewhere': answerWith(302),
};

const disturbed = Object.entries(ways).map(([way, answer]): Fault => ({
  name: `receivers ${way}`,
  expected: 'failed attempts, tried again at their time; others do not wait for them',
  weight: 0.7,
  lasts,
  inject: ({ receivers }) => {
    receivers.override(answer);
    return () => receivers.override(undefined);
  },
}));

const away: Fault = {
  name: 'receivers refuse connections',
  expected: 'failed attempts, tried again at their time',
  weight: 1,
  lasts,
  inject: async ({ receivers }) => {
    await receivers.away();
    return () => receivers.back();
  },
};

const FLAPS = 6;
const FLAP_MS = 250;

const flapping: Fault = {
  name: 'receivers flap',
  expected: 'failures in a row counted in the order of the log, a success between them included',
  weight: 1,
  lasts: [0, 0],
  inject: async ({ receivers }) => {
    for (let flap = 0; flap < FLAPS; flap += 1) {
      receivers.override(flap % 2 === 0 ? answerWith(503) : undefined);
      await delay(FLAP_MS);
    }
    receivers.override(undefined);
    return atOnce;
  },
};

/** Milliseconds to wait for an attempt, and then for the worker. */
const ATTEMPT_MS = 2_000;
const RESTART_MS = 2_500;

/** Kills the worker during a request: only the receiver knows the outcome. */
const killedInAttempts = (times: number): Fault => ({
  name: `kill worker in an attempt, ${times} times`,
  expected: 'the attempt is made again under the same id, as often as it takes; one outcome is recorded',
  weight: 1,
  lasts: [0, 0],
  inject: async (world) => {
    const { receivers } = world;
    receivers.override(answerNothing);
    try {
      for (let count = 0; count < times; count += 1) await killInAttempt(world);
    } finally {
      receivers.override(undefined);
    }
    return atOnce;
  },
});

async function killInAttempt(world: World): Promise<void> {
  const { receivers, stack } = world;
  await until(() => 'worker' in stack.processes, { limitMs: RESTART_MS });
  await Promise.race([receivers.next(), delay(ATTEMPT_MS)]);
  await kill(world, 'worker');
}

export const receiverFaults: readonly Fault[] = [
  ...disturbed,
  away,
  flapping,
  killedInAttempts(2),
  killedInAttempts(3),
];
