import {
  handleMailWakeUps,
  keyRemindersManager,
  mailSweep,
  mailWakeUpsManager,
  optionalMailManagers,
  type Processes,
  signInManagers,
  webhookNoticesManager,
} from '../../../commands/process-managers/index.ts';
import { linkTemplates } from '../../../commands/mail/index.ts';
import { dueMailsIn } from '../../../projections/queries/mail.ts';
import { need } from '../../config/index.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import { createSmtpMailer, type Mailer } from '../../mail/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import type { RoleContext } from '../roles/role.ts';
import { openConsoleLinks, openSubscriberLinks, openUnsubscribeLinks } from './links.ts';
import type { Ports } from './ports.ts';
import type { ProcessPorts } from './process-ports.ts';
import { linkLifetimes } from './settings.ts';

/** Interval of the sweep for due mails without a wake-up, in milliseconds. */
const sweepMs = 30_000;

/** Queues and sends mails. Without a mail server they are only queued. */
export function mailProcesses(ports: ProcessPorts): Processes {
  const { config, clock, pool } = ports;
  const { mail: wakeUps } = ports.queues;
  const notices = [
    webhookNoticesManager({ ...ports, disableAfter: config.WEBHOOK_DISABLE_AFTER }),
    keyRemindersManager(ports),
    ...optionalMailManagers(ports),
    ...signInManagers({
      ...ports,
      oneTimeTokens: createOneTimeTokens(ports.peppers),
      link: openConsoleLinks(config),
      lifetimesMs: linkLifetimes(config),
    }),
  ];
  if (wakeUps === undefined) return { managers: notices, sweeps: [] };
  return {
    managers: [...notices, mailWakeUpsManager({ ...ports, wakeUps })],
    sweeps: [mailSweep({ wakeUps, due: dueMailsIn(pool, linkTemplates), clock, everyMs: sweepMs })],
  };
}

/** Undefined without a mail server. Must be opened before the queue, so that it is closed after it. */
export function openMailer({ config, logger, lifetime }: RoleContext): Mailer | undefined {
  if (config.SMTP_URL === undefined) {
    logger.info('No SMTP_URL is set: mails are kept in the outbox.');
    return undefined;
  }
  const mailer = createSmtpMailer({
    url: config.SMTP_URL,
    from: need(config, 'MAIL_FROM'),
    timeoutMs: config.MAIL_TIMEOUT,
  });
  lifetime.defer('mailer', () => mailer.close());
  return mailer;
}

/** Sends mails on wake-up. */
export function handleMails(ports: Ports, mailer: Mailer, wakeUps: WakeUps): void {
  handleMailWakeUps(wakeUps, {
    ...ports,
    mailer,
    unsubscribeLink: openUnsubscribeLinks(ports),
    subscriberLink: openSubscriberLinks(ports),
    backoffMs: ports.config.MAIL_BACKOFF,
  });
}
