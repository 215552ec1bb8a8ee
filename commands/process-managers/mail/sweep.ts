import type { Clock } from '../../../infra/platform/clock.ts';
import type { WakeUps } from '../../../infra/queue/types.ts';
import { wakeUpIdOf } from '../../mail/index.ts';
import type { DueAttempt } from '../../../domain/mail.ts';
import type { Sweep } from '../engine/leadership.ts';

export interface MailSweepPorts {
  /** The attempts that are due by then, the longest due first. */
  readonly due: (by: Date, limit: number) => Promise<readonly DueAttempt[]>;
  readonly wakeUps: Pick<WakeUps, 'scheduleAll' | 'hasten'>;
  readonly clock: Clock;
  readonly everyMs: number;
}

/** How many mails one sweep takes at most; the next one takes more. */
const sweepLimit = 200;

/**
 * Wakes up for the mails that are due once more: where a wake-up is pending already, that changes nothing. The first is
 * called all the same: it wakes a worker that sleeps by a clock that was set since.
 */
export const mailSweep = ({ due, wakeUps, clock, everyMs }: MailSweepPorts): Sweep => ({
  name: 'mails',
  everyMs,
  run: async () => {
    const attempts = await due(clock.now(), sweepLimit);
    const again = attempts.map(({ mailId, attempt, dueAt }) => ({
      id: wakeUpIdOf(mailId, attempt),
      dueAt: new Date(dueAt),
    }));
    await wakeUps.scheduleAll(again);
    const [first] = again;
    if (first !== undefined) await wakeUps.hasten(first.id);
  },
});
