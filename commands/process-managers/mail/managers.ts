import { mailEvents } from '../../../contracts/events/mail.ts';
import { ownLlmKeyEvents } from '../../../contracts/events/own-llm-key.ts';
import { webhookEndpointEvents } from '../../../contracts/events/webhook-endpoint.ts';
import { dueAttempts, type DueAttempt } from '../../../domain/mail.ts';
import { ownKeyReminders } from '../../../domain/own-llm-key.ts';
import { webhookNotices } from '../../../domain/webhook-endpoint/reactions.ts';
import type { Clock } from '../../../infra/platform/clock.ts';
import type { WakeUps } from '../../../infra/queue/types.ts';
import { queueNotice, wakeUpIdOf, type NoticePorts } from '../../mail/index.ts';
import { queueKeyReminder } from '../../own-llm-key.ts';
import type { Sweep } from '../engine/host.ts';
import {
  processManager,
  wakeUpAt,
  type ProcessManager,
  type WakingPorts,
} from '../engine/process-manager.ts';

/** Mails owners about changes of their endpoints. */
export const webhookNoticesManager = (ports: NoticePorts): ProcessManager =>
  processManager({
    name: 'webhook-notices',
    category: webhookEndpointEvents,
    react: webhookNotices,
    perform: (notice, context) => queueNotice(ports, notice, context),
  });

/** Reminds accounts to replace aged keys of model providers. */
export const keyRemindersManager = (ports: Parameters<typeof queueKeyReminder>[0]): ProcessManager =>
  processManager({
    name: 'own-key-reminders',
    category: ownLlmKeyEvents,
    react: ownKeyReminders,
    perform: (reminder, context) => queueKeyReminder(ports, reminder, context),
  });

/** Makes every due attempt to send a mail. Without a mail server mails stay queued. */
export const mailWakeUpsManager = (ports: WakingPorts): ProcessManager =>
  processManager({
    name: 'mail-wake-ups',
    category: mailEvents,
    react: dueAttempts,
    perform: ({ mailId, attempt, dueAt }) => wakeUpAt(ports, { id: wakeUpIdOf(mailId, attempt), dueAt }),
  });

interface MailSweepPorts {
  /** Attempts due at `by` or earlier, the longest due first. */
  readonly due: (by: Date, limit: number) => Promise<readonly DueAttempt[]>;
  readonly wakeUps: Pick<WakeUps, 'scheduleAll' | 'hasten'>;
  readonly clock: Clock;
  readonly everyMs: number;
}

/** Maximum mails per sweep; the next one takes more. */
const sweepLimit = 200;

/**
 * Wakes up due mails again, which changes nothing for a pending wake-up. The first is hastened, too: it wakes a worker that
 * sleeps although the clock was set forward.
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
