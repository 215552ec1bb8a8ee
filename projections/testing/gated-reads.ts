import type { EventStore } from '../../infra/event-store/client/types.ts';
import { gate } from '../../infra/verification/testbed/index.ts';

/** Blocks reads of the whole log until opened. */
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
