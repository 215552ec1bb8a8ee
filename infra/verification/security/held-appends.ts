import type { EventStore } from '../../event-store/client/types.ts';
import { gate, type Gate } from '../testbed/index.ts';

/** Stops a request between two of its appends. */
export function heldAppends() {
  let held: { readonly category: string; readonly gate: Gate } | undefined;
  return {
    throughStore: (store: EventStore): EventStore => ({
      ...store,
      async append(stream, expected, events) {
        if (held !== undefined && stream.startsWith(`${held.category}-`)) {
          const { gate: stopped } = held;
          held = undefined;
          await stopped.pass();
        }
        return store.append(stream, expected, events);
      },
    }),
    /** The next append to a stream of the category waits at the gate. */
    hold(category: string): Gate {
      held = { category, gate: gate() };
      return held.gate;
    },
  };
}
