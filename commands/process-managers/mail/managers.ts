import { mailEvents } from '../../../contracts/events/mail.ts';
import { webhookEndpointEvents } from '../../../contracts/events/webhook-endpoint.ts';
import { dueAttempts } from '../../../domain/mail.ts';
import { webhookNotices } from '../../../domain/webhook-endpoint/reactions.ts';
import { queueNotice, wakeUpIdOf, type NoticePorts } from '../../mail/index.ts';
import { processManager, type ProcessManager } from '../engine/process-manager.ts';
import { wakeUpAt, type WakingPorts } from '../engine/wake-up-at.ts';

/** Tells the owners of endpoints what becomes of them. */
export const webhookNoticesManager = (ports: NoticePorts): ProcessManager =>
  processManager({
    name: 'webhook-notices',
    category: webhookEndpointEvents,
    react: webhookNotices,
    perform: (notice, context) => queueNotice(ports, notice, context),
  });

/** Has every attempt to send a mail made at its time. Where no mail server is known there is none: mails stay queued. */
export const mailWakeUpsManager = (ports: WakingPorts): ProcessManager =>
  processManager({
    name: 'mail-wake-ups',
    category: mailEvents,
    react: dueAttempts,
    perform: ({ mailId, attempt, dueAt }) => wakeUpAt(ports, { id: wakeUpIdOf(mailId, attempt), dueAt }),
  });
