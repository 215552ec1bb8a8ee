import { mailEvents } from '../../../contracts/events/mail.ts';
import { ownLlmKeyEvents } from '../../../contracts/events/own-llm-key.ts';
import { webhookEndpointEvents } from '../../../contracts/events/webhook-endpoint.ts';
import { uuidOf, type MailId } from '../../../contracts/ids.ts';
import { dueAttempts, mail } from '../../../domain/mail.ts';
import { ownKeyReminders } from '../../../domain/own-llm-key.ts';
import { webhookNotices } from '../../../domain/webhook-endpoint/reactions.ts';
import type { Runner } from '../../engine/runner.ts';
import { queueNotice, wakeUpIdOf, type NoticePorts } from '../../mail/index.ts';
import { queueKeyReminder } from '../../own-llm-key.ts';
import type { Sweep } from '../engine/host.ts';
import { pagingOverdue, type FindDue, type OverduePorts } from '../engine/overdue.ts';
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

export interface MailWakingPorts extends WakingPorts {
  readonly runner: Pick<Runner, 'load'>;
}

/**
 * Makes every due attempt to send a mail: those of mails with a link before all others, so that no link expires behind the mails
 * about an incident. Without a mail server mails stay queued.
 */
export const mailWakeUpsManager = (ports: MailWakingPorts): ProcessManager =>
  processManager({
    name: 'mail-wake-ups',
    category: mailEvents,
    react: dueAttempts,
    perform: async ({ mailId, attempt, hasLink, dueAt }) => {
      const isUrgent = hasLink ?? (await hasLinkOf(ports, mailId));
      await wakeUpAt(ports, { id: wakeUpIdOf(mailId, attempt), dueAt }, isUrgent ? 'normal' : 'low');
    },
  });

async function hasLinkOf({ runner }: Pick<MailWakingPorts, 'runner'>, mailId: MailId): Promise<boolean> {
  const { state } = await runner.load(mail, uuidOf(mailId), { cached: true });
  return 'expiresAt' in state;
}

/** Maximum mails of each kind per sweep; the next one takes more. */
const page = 200;

interface MailSweepPorts extends Pick<OverduePorts<MailId>, 'wakeUps' | 'clock'> {
  /** Due mails with a link, and the others. */
  readonly due: { readonly withLink: FindDue<MailId>; readonly others: FindDue<MailId> };
  readonly everyMs: number;
}

/** Wakes up due mails again, those with a link first. One that cannot even be opened, as with a wrong master key, stays due. */
export function mailSweep({ everyMs, due, ...ports }: MailSweepPorts): Sweep {
  const paging = { ...ports, wakeUpIdOf, dueForMs: 0, page };
  const wakeUrgent = pagingOverdue({ ...paging, due: due.withLink });
  const wakeOthers = pagingOverdue({ ...paging, due: due.others, priority: 'low' });
  return {
    name: 'mails',
    everyMs,
    run: async () => {
      await wakeUrgent();
      await wakeOthers();
    },
  };
}
