import { isAfter } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';

/** The log as it was at a position: later events are left out. */
export const storeUpTo = (
  store: Pick<EventStore, 'readStream'>,
  end: Position,
): Pick<EventStore, 'head' | 'readStream'> => ({
  head: () => Promise.resolve(end),
  async *readStream(stream, { limit = Infinity, ...options } = {}) {
    let left = limit;
    for await (const event of store.readStream(stream, options)) {
      if (isAfter(event.position, end)) {
        if (options.direction === 'backwards') continue;
        return;
      }
      yield event;
      if ((left -= 1) <= 0) return;
    }
  },
});
