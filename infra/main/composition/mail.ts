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
import { mailsDue } from '../../../projections/queries/mail.ts';
import { need } from '../../config/index.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import { createSmtpMailer, type Mailer } from '../../mail/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import type { RoleContext } from '../roles/role.ts';
import { linkLifetimes } from './commands.ts';
import { openConsoleLinks, openSubscriberLinks, openUnsubscribeLinks } from './links.ts';
import { pepperInUse } from './secrets.ts';
import type { Ports } from './ports.ts';
import { openWakeUps } from './wake-ups.ts';

/** How often mails that are due and were not woken up for are looked for, milliseconds. */
const sweepMs = 30_000;

/** What queues mails and sees to their being sent. Without a mail server they are queued alone. */
export function mailProcesses(ports: Ports): Processes {
  const { config, clock, logger, pool } = ports;
  const notices = [
    webhookNoticesManager({ ...ports, disableAfter: config.WEBHOOK_DISABLE_AFTER }),
    keyRemindersManager(ports),
    ...optionalMailManagers(ports),
    ...signInManagers({
      ...ports,
      oneTimeTokens: createOneTimeTokens(pepperInUse(config)),
      link: openConsoleLinks(config),
      lifetimesMs: linkLifetimes(config),
    }),
  ];
  if (config.SMTP_URL === undefined) return { managers: notices, sweeps: [] };
  const wakeUps = openWakeUps(ports, 'mail');
  return {
    managers: [...notices, mailWakeUpsManager({ wakeUps, logger })],
    sweeps: [mailSweep({ wakeUps, due: (by, limit) => mailsDue(pool, by, limit), clock, everyMs: sweepMs })],
  };
}

/** Undefined when no mail server is named. To be opened before the queue, so that it is closed after it. */
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

/** Sends what is woken up for. */
export function handleMails(
  { config, clock, logger, runner, vault }: Ports,
  mailer: Mailer,
  wakeUps: WakeUps,
): void {
  handleMailWakeUps(wakeUps, {
    runner,
    clock,
    vault,
    mailer,
    unsubscribeLink: openUnsubscribeLinks(config),
    subscriberLink: openSubscriberLinks(config),
    backoffMs: config.MAIL_BACKOFF,
    logger,
  });
}
