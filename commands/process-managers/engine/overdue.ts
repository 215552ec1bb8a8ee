import type { Clock } from '../../../infra/platform/clock.ts';
import type { Priority, WakeUp, WakeUps } from '../../../infra/queue/types.ts';

/** A cursor among pending attempts, by their due time. */
export interface Place {
  readonly next_attempt_at: Date;
  readonly id: string;
}

/** A mail or delivery with a pending attempt. */
export interface Due<Id extends string> extends Place {
  readonly id: Id;
  /** Number of attempts so far. */
  readonly attempt_count: number;
}

/** Reads from the read models what is behind the cursor and due at `by` or earlier, the longest due first. */
export type FindDue<Id extends string> = (
  by: Date,
  after: Place,
  limit: number,
) => Promise<readonly Due<Id>[]>;

interface Waking<Id extends string> {
  readonly wakeUps: Pick<WakeUps, 'scheduleAll'>;
  readonly wakeUpIdOf: (id: Id, attempt: number) => string;
  /** By default normal. */
  readonly priority?: Priority;
}

export interface OverduePorts<Id extends string> extends Waking<Id> {
  readonly due: FindDue<Id>;
  readonly wakeUps: Pick<WakeUps, 'scheduleAll' | 'hasten'>;
  readonly clock: Clock;
  /** Attempts overdue for less are left out; ms. */
  readonly dueForMs: number;
  /** Maximum attempts per call. */
  readonly page: number;
}

const start: Place = { next_attempt_at: new Date(0), id: '' };

/**
 * Wakes up overdue attempts again, which changes nothing for a pending wake-up. Each call takes the next page, the longest due
 * first, and starts over at the end: what stays due forever, or the backlog of one endpoint, does not block the others. The first
 * is woken up even if the queue has it: a worker asleep until its next wake-up does not notice that the clock was set forward; once
 * awake it takes all that is due.
 */
export function pagingOverdue<Id extends string>(ports: OverduePorts<Id>): () => Promise<void> {
  const { due, wakeUps, clock, dueForMs, page } = ports;
  let past = start;
  return async () => {
    const found = await due(new Date(clock.now().getTime() - dueForMs), past, page);
    await wakeUpAll(ports, found);
    const [first] = found;
    if (first !== undefined) await wakeUps.hasten(wakeUpOf(ports, first).id);
    past = (found.length === page && found.at(-1)) || start;
  };
}

/** Maximum wake-ups per request to the queue. */
const bunch = 500;

/** Hands the attempts to the queue. */
export async function wakeUpAll<Id extends string>(
  ports: Waking<Id>,
  due: readonly Due<Id>[],
): Promise<void> {
  for (let from = 0; from < due.length; from += bunch)
    await ports.wakeUps.scheduleAll(due.slice(from, from + bunch).map((each) => wakeUpOf(ports, each)));
}

const wakeUpOf = <Id extends string>(
  { wakeUpIdOf, priority = 'normal' }: Waking<Id>,
  { id, attempt_count, next_attempt_at }: Due<Id>,
): WakeUp => ({ id: wakeUpIdOf(id, attempt_count + 1), dueAt: next_attempt_at, priority });
