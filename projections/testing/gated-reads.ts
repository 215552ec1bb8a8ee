import type { EventStore } from '../../infra/event-store/client/types.ts';
import { until } from '../../infra/verification/testbed/index.ts';

/** Lets reads of the whole log through when it is opened; until then they wait. */
export function gatedReads(store: EventStore) {
  let open: () => void = () => undefined;
  let isReached = false;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const gatedStore: EventStore = {
    ...store,
    async *readAll(options) {
      isReached = true;
      await opened;
      yield* store.readAll(options);
    },
  };
  return { store: gatedStore, open, reached: () => until(() => isReached) };
}
