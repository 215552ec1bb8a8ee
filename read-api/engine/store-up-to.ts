import { isAfter } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';

/** The log as it was at a position: later events are left out, although they count for the limit of a backward read. */
export const storeUpTo = (
  store: Pick<EventStore, 'readStream'>,
  end: Position,
): Pick<EventStore, 'head' | 'readStream'> => ({
  head: () => Promise.resolve(end),
  async *readStream(stream, options) {
    for await (const event of store.readStream(stream, options)) {
      if (!isAfter(event.position, end)) yield event;
      else if (options?.direction !== 'backwards') return;
    }
  },
});
