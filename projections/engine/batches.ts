import { Subject, auditTime, exhaustMap, filter, firstValueFrom, lastValueFrom, merge } from 'rxjs';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';

export interface BatchOptions {
  /** A batch is written at once when it has this many events, */
  readonly maxEvents: number;
  /** or when its first event is this old, milliseconds. */
  readonly windowMs: number;
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
}

export interface Batches {
  /** Resolves when there is room: a reader that waits for it holds a bounded number of events. */
  add(event: RecordedEvent): Promise<void>;
  /** Applies what is left. Rejects, as `add` does from then on, with the error that ended the work. */
  close(): Promise<void>;
  /** Settles when the work has ended, either way. */
  readonly finished: Promise<void>;
}

/**
 * Gathers events into batches by count and by time and applies one batch after the other. What arrives while a batch is
 * being written makes the next one, so a slow database gets bigger batches, not a longer queue of small ones.
 */
export function batches({ maxEvents, windowMs, apply }: BatchOptions): Batches {
  const pending: RecordedEvent[] = [];
  const arrived = new Subject<void>();
  const applied = new Subject<void>();

  const applyPending = async (): Promise<void> => {
    while (pending.length > 0) {
      await apply(pending.splice(0, maxEvents));
      applied.next();
    }
  };
  const due = merge(
    arrived.pipe(auditTime(windowMs)),
    arrived.pipe(filter(() => pending.length >= maxEvents)),
  );
  const finished = lastValueFrom(due.pipe(exhaustMap(applyPending)), { defaultValue: undefined });
  finished.catch((error: unknown) => applied.error(error));
  applied.subscribe({ error: () => undefined });

  return {
    finished,
    async add(event) {
      pending.push(event);
      arrived.next();
      if (pending.length >= 4 * maxEvents) await firstValueFrom(applied);
    },
    async close() {
      arrived.complete();
      await finished;
      await applyPending();
    },
  };
}
