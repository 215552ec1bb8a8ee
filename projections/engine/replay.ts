import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { compare, isAfter, origin } from '../../infra/event-store/client/position.ts';

export interface Stretch {
  /** Exclusive. */
  readonly after: Position;
  /** Inclusive. */
  readonly upTo: Position;
  readonly prefixes: readonly string[];
}

/**
 * Hands a stretch of the log over in batches. The next batch is read while the one before it is being written, so the
 * slower of the two sets the pace, not their sum.
 */
export async function replay(
  store: EventStore,
  { after, upTo, prefixes }: Stretch,
  batchEvents: number,
  apply: (events: readonly RecordedEvent[]) => Promise<void>,
): Promise<void> {
  const from = compare(after, origin) === 0 ? 'start' : after;
  let writing: Promise<void> = Promise.resolve();
  let batch: RecordedEvent[] = [];
  const hand = async () => {
    await writing;
    writing = apply(batch);
    // Its error, if any, is met at the next `await writing`; until then it must not count as unhandled.
    writing.catch(() => undefined);
    batch = [];
  };
  for await (const event of store.readAll({ from, prefixes })) {
    if (isAfter(event.position, upTo)) break;
    batch.push(event);
    if (batch.length >= batchEvents) await hand();
  }
  if (batch.length > 0) await hand();
  await writing;
}
