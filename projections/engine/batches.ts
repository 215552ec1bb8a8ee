import { Subject, auditTime, exhaustMap, filter, firstValueFrom, lastValueFrom, merge } from 'rxjs';
import type { Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Consumer } from '../../infra/log-follower/follow.ts';

export interface BatchOptions {
  /** Maximum events of a batch: a full one is written at once. */
  readonly maxEvents: number;
  /** Maximum wait of a batch's first event for further ones, in milliseconds. */
  readonly windowMs: number;
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Called periodically and at the end, with a position up to which every event is applied. */
  readonly pass: (position: Position) => Promise<void>;
}

/**
 * Interval at which positions of foreign events are passed on. There may be thousands of them, and no reader waits
 * for them.
 */
const passEveryMs = 1000;

/** Events not applied yet. */
function pendingWork({ maxEvents, apply, pass }: BatchOptions) {
  const events: RecordedEvent[] = [];
  let passed: Position | undefined;
  let passedAt = -Infinity;
  const isPassDue = (): boolean => passed !== undefined && performance.now() - passedAt >= passEveryMs;
  const passOn = async (): Promise<void> => {
    const position = passed;
    passed = undefined;
    passedAt = performance.now();
    if (position !== undefined) await pass(position);
  };
  return {
    events,
    isPassDue,
    passOn,
    passTo: (position: Position) => void (passed = position),
    /** Events before `passed` were added earlier, so `passed` is passed on only when no event is left. */
    async applyAll(applied: () => void): Promise<void> {
      while (events.length > 0 || isPassDue()) {
        if (events.length === 0) await passOn();
        else await apply(events.splice(0, maxEvents));
        applied();
      }
    },
  };
}

/**
 * Batches events by count and by time, and applies one batch after the other. Events that arrive during a write form the next
 * batch, so a slow database gets larger batches, not a longer queue.
 */
export function batches(options: BatchOptions): Consumer {
  const { maxEvents, windowMs } = options;
  const pending = pendingWork(options);
  const arrived = new Subject<void>();
  const passing = new Subject<void>();
  const applied = new Subject<void>();

  const applyPending = () => pending.applyAll(() => applied.next());
  const due = merge(
    arrived.pipe(auditTime(windowMs)),
    arrived.pipe(filter(() => pending.events.length >= maxEvents)),
    passing,
  );
  const finished = lastValueFrom(due.pipe(exhaustMap(applyPending)), { defaultValue: undefined });
  finished.catch((error: unknown) => applied.error(error));
  applied.subscribe({ error: () => undefined });

  return {
    finished,
    /** Back-pressure: holds a bounded number of events. */
    async add(event: RecordedEvent): Promise<void> {
      pending.events.push(event);
      arrived.next();
      if (pending.events.length >= 4 * maxEvents) await firstValueFrom(applied);
    },
    pass(position: Position): void {
      pending.passTo(position);
      if (pending.isPassDue()) passing.next();
    },
    /** Applies the rest. */
    async close(): Promise<void> {
      arrived.complete();
      passing.complete();
      await finished;
      await applyPending();
      await pending.passOn();
    },
  };
}
