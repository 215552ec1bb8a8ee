import { once, EventEmitter } from 'node:events';
import type { EventStore } from '../../../event-store/client/index.ts';

/** Counts deliveries whose outcome is in the record. */
export interface Outcomes {
  readonly count: () => number;
  /** Resolves when there are that many. */
  readonly reach: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function watchOutcomes(store: EventStore): Outcomes {
  const subscription = store.subscribe({ from: 'end', prefixes: ['webhook_delivery-'] });
  const counted = new EventEmitter();
  let count = 0;
  const watch = async (): Promise<void> => {
    for await (const message of subscription) {
      if (message.kind !== 'event' || message.event.type !== 'DeliverySucceeded') continue;
      count += 1;
      counted.emit('one');
    }
  };
  const watching = watch();
  return {
    count: () => count,
    reach: async (wanted) => {
      while (count < wanted) await once(counted, 'one');
    },
    close: async () => {
      await subscription.close();
      await watching;
    },
  };
}
