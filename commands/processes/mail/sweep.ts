import type { Clock } from '../../../infra/clock.ts';
import { wakeUpIdOf } from '../../mail/index.ts';
import type { DueMails } from '../read-rows.ts';
import type { Sweep } from '../term.ts';
import { wakeUpAt, type WakingPorts } from '../wake-up-at.ts';

export interface MailSweepPorts extends WakingPorts {
  readonly due: DueMails;
  readonly clock: Clock;
  readonly everyMs: number;
}

/** How many mails one sweep takes at most; the next one takes more. */
const sweepLimit = 200;

/** Wakes up for the mails that are due once more: where a wake-up is pending already, that changes nothing. */
export const mailSweep = ({ due, clock, everyMs, ...waking }: MailSweepPorts): Sweep => ({
  name: 'mails',
  everyMs,
  run: async () => {
    const attempts = await due(clock.now(), sweepLimit);
    await Promise.all(
      attempts.map(({ mailId, attempt, dueAt }) =>
        wakeUpAt(waking, { id: wakeUpIdOf(mailId, attempt), dueAt }),
      ),
    );
  },
});
