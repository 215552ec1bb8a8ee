import type { Faults } from '../../../event-store/server/index.ts';
import { noFaults } from '../../../event-store/server/faults.ts';
import type { Random } from '../random.ts';
import { atOnce, type Fault } from './fault.ts';

/** Switches of the embedded event store, for the duration of a fault. A killed store has none set. */
const switched = (
  name: string,
  expected: string,
  faults: (random: Random) => Partial<Faults>,
  lasts: Fault['lasts'] = [500, 4_000],
): Fault => ({
  name: `event store: ${name}`,
  expected,
  weight: 1.5,
  lasts,
  inject: async ({ stack }, random) => {
    const { eventStore } = stack.stores;
    if (eventStore.pid() === undefined) return atOnce;
    await eventStore.set(faults(random));
    return async () => {
      if (eventStore.pid() !== undefined) await eventStore.set(noFaults());
    };
  },
});

const some = (random: Random): number => random.between(1, 20);
const unnoticed = 'events are applied and reacted to once all the same';

export const storeSwitches: readonly Fault[] = [
  switched('drop appends', 'sent again with the same ids, stored once', (random) => ({
    dropBeforeCommit: some(random),
  })),
  switched('store appends without an answer', 'found out and stored once', (random) => ({
    dropAfterCommit: some(random),
  })),
  switched('not the leader', 'sent again or answered 503', (random) => ({ notLeader: some(random) })),
  switched('delay appends', 'slower, nothing else', (random) => ({ appendDelayMs: random.between(20, 600) })),
  switched('end subscriptions', 'taken up again where they were', (random) => ({
    endSubscriptions: random.between(2, 6),
    subscriptionEventsBeforeFault: random.between(0, 50),
    duplicatesOnResume: random.between(0, 30),
  })),
  switched('stall subscriptions', 'noticed and taken up again', (random) => ({
    stallSubscriptions: random.between(1, 3),
    subscriptionEventsBeforeFault: random.between(0, 30),
  })),
  switched('say "caught up" again and again', unnoticed, () => ({
    repeatCaughtUp: true,
    checkpointEachEvent: true,
  })),
  switched('drop slow subscribers', 'taken up again where they were', () => ({ dropSlowSubscribers: true })),
];
