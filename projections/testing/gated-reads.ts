import type { EventStore } from '../../infra/event-store/client/types.ts';
import { gate } from '../../infra/verification/testbed/index.ts';

/** Lets reads of the whole log through when it is opened; until then they wait. */
export function gatedReads(store: EventStore) {
  const { pass, reached, open } = gate();
  const gatedStore: EventStore = {
    ...store,
    async *readAll(options) {
      await pass();
      yield* store.readAll(options);
    },
  };
  return { store: gatedStore, open, reached };
}
