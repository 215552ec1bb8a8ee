import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type {
  EventStore,
  RecordedEvent,
  SubscriptionMessage,
} from '../../../infra/event-store/client/types.ts';
import { SealUnreadable } from '../../../infra/vault/index.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { useStore } from '../../session/testing.ts';
import type { ProcessManager } from './process-manager.ts';
import { retryParked } from './reactions.ts';
import { never, startFollowing } from './testing.ts';

const metadata = {
  ...{ correlation_id: 'test', causation_id: 'test', schema_version: 1, request_id: null },
  actor: { kind: 'system', account_id: null },
  occurred_at: '2026-01-05T12:00:00.000Z',
} as const;

/** A store whose second event of a stream cannot be opened, until it can. */
function withoutKey(store: EventStore, type: string, isLost: () => boolean): EventStore {
  const isUnreadable = (event: RecordedEvent) => isLost() && event.type === type && event.revision === 1n;
  return {
    ...store,
    async *readStream(stream, options) {
      for await (const event of store.readStream(stream, options)) {
        if (isUnreadable(event)) throw new SealUnreadable('no key');
        yield event;
      }
    },
    subscribe: (options) => {
      const inner = store.subscribe(options);
      return {
        close: () => inner.close(),
        async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionMessage> {
          for await (const message of inner)
            yield message.kind === 'event' && isUnreadable(message.event)
              ? { kind: 'event', event: { ...message.event, data: undefined } }
              : message;
        },
      };
    },
  };
}

describe('an event that cannot be opened', () => {
  const opened = useStore();

  it('is parked, keeps nobody waiting, also in the next term, and takes effect once it can be opened', async () => {
    const type = `Sealed${uuidv7().replaceAll('-', '')}`;
    const events = [1, 2, 3].map((place) => ({ id: uuidv7(), type, data: { place }, metadata }));
    await opened.store.append(`unreadable-${type}`, 'no_stream', events);
    let isLost = true;
    const store = withoutKey(opened.store, type, () => isLost);
    const done: unknown[] = [];
    let terms = 0;
    const manager: ProcessManager = {
      name: 'places',
      types: [type],
      begin: () => void (terms += 1),
      handle: async ({ data }) => {
        if (data === undefined) throw new Error('unreadable data');
        done.push((data as { readonly place: number }).place);
      },
    };
    const first = startFollowing({ store, managers: [manager] });
    await until(() => done.length === 2 && first.kept.parked.size === 1);
    expect(done).to.deep.equal([1, 3]);
    await retryParked(first.ports, never);
    expect(first.kept.parked.size).to.equal(1);
    await first.close();
    const second = startFollowing({ store, managers: [manager], kept: first.kept });
    await until(() => terms === 2);
    isLost = false;
    await retryParked(second.ports, never);
    expect(done).to.deep.equal([1, 3, 2]);
    expect(first.kept.parked.size).to.equal(0);
    await second.close();
  });
});
