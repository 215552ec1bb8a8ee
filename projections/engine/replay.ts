import type {
  EventStore,
  Position,
  ReadAllOptions,
  RecordedEvent,
} from '../../infra/event-store/client/types.ts';
import { isAfter, startAfter } from '../../infra/event-store/client/position.ts';

export interface LogRange {
  /** Exclusive. */
  readonly after: Position;
  /** Inclusive. */
  readonly upTo: Position;
  /** Stops before the first event for which this returns true; called in order. */
  readonly isBeyond?: (event: RecordedEvent) => boolean;
}

/** `prefixes` or `types` select the events. */
export interface ReplayFilter extends Pick<ReadAllOptions, 'prefixes' | 'types'> {
  /** For progress reports. */
  readonly name: string;
  /** Filters events; default: all. */
  readonly concerns?: (event: RecordedEvent) => boolean;
}

export interface Progress {
  readonly projection: string;
  readonly events: number;
  readonly eventsPerSecond: number;
  /** Progress within the range of the log, from 0 to 1. */
  readonly fraction: number;
  readonly secondsLeft: number;
}

export interface ReplayOptions {
  readonly store: EventStore;
  readonly onProgress?: (progress: Progress) => void;
  readonly batchEvents?: number;
}

/**
 * Applies a range of the log in batches. The next batch is read while the previous one is written, so the slower of the two
 * determines the time, not their sum. Returns the last event of the range.
 */
export async function replay(
  { name, concerns = () => true, ...filter }: ReplayFilter,
  { after, upTo, isBeyond = () => false }: LogRange,
  { store, onProgress, batchEvents = 500 }: ReplayOptions,
  apply: (events: readonly RecordedEvent[]) => Promise<void>,
): Promise<RecordedEvent | undefined> {
  const report = reporter(name, onProgress);
  const length = Math.max(1, Number(upTo.commit - after.commit));
  let writing: Promise<void> = Promise.resolve();
  let batch: RecordedEvent[] = [];
  const write = async (events: readonly RecordedEvent[], last: Position) => {
    await apply(events);
    report(events.length, Math.min(1, Number(last.commit - after.commit) / length));
  };
  const handOver = async (last: Position) => {
    await writing;
    writing = write(batch, last);
    // Its error is thrown at the next `await writing`; until then it must not count as unhandled.
    writing.catch(() => undefined);
    batch = [];
  };
  let last: RecordedEvent | undefined;
  for await (const event of store.readAll({ from: startAfter(after), ...filter })) {
    if (isBeyond(event) || isAfter(event.position, upTo)) break;
    last = event;
    if (concerns(event)) batch.push(event);
    if (batch.length >= batchEvents) await handOver(event.position);
  }
  if (last !== undefined && batch.length > 0) await handOver(last.position);
  await writing;
  report(0, 1);
  return last;
}

/** The log does not know the number of events ahead, so the fraction is one of positions. */
function reporter(projection: string, onProgress: ReplayOptions['onProgress']) {
  const startedAt = performance.now();
  let events = 0;
  return (more: number, fraction: number): void => {
    events += more;
    const seconds = (performance.now() - startedAt) / 1000;
    onProgress?.({
      projection,
      events,
      eventsPerSecond: seconds > 0 ? events / seconds : 0,
      fraction,
      secondsLeft: fraction > 0 ? (seconds * (1 - fraction)) / fraction : 0,
    });
  };
}
