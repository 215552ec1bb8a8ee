import { mailEvents } from '../../../contracts/events/mail.ts';
import { ownLlmKeyEvents } from '../../../contracts/events/own-llm-key.ts';
import { webhookEndpointEvents } from '../../../contracts/events/webhook-endpoint.ts';
import type { MailId } from '../../../contracts/ids.ts';
import { dueAttempts } from '../../../domain/mail.ts';
import { ownKeyReminders } from '../../../domain/own-llm-key.ts';
import { webhookNotices } from '../../../domain/webhook-endpoint/reactions.ts';
import { queueNotice, wakeUpIdOf, type NoticePorts } from '../../mail/index.ts';
import { queueKeyReminder } from '../../own-llm-key.ts';
import type { Sweep } from '../engine/host.ts';
import { pagingOverdue, type OverduePorts } from '../engine/overdue.ts';
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

/** Maximum mails per sweep; the next one takes more. */
const page = 200;

interface MailSweepPorts extends Pick<OverduePorts<MailId>, 'due' | 'wakeUps' | 'clock'> {
  readonly everyMs: number;
}

/** Wakes up due mails again. One that cannot even be opened, as with a wrong master key, stays due. */
export const mailSweep = ({ everyMs, ...ports }: MailSweepPorts): Sweep => ({
  name: 'mails',
  everyMs,
  run: pagingOverdue({ ...ports, wakeUpIdOf, dueForMs: 0, page }),
});
