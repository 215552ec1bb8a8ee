import { dueTimersIn, handleWakeUps } from '../../../commands/processes/index.ts';
import { sessionCommandsOn } from '../composition/commands.ts';
import { openRegistry } from '../composition/fleet.ts';
import { handleMails, openMailer } from '../composition/mail.ts';
import { openEventStore, openPostgres, openRunner, storeChecks } from '../composition/stores.ts';
import { openEveryQueue } from '../composition/wake-ups.ts';
import type { ComposeRole } from './role.ts';

/** Does what is due when its wake-up comes; any number of workers may. */
export const worker: ComposeRole = async (context) => {
  const { config, clock, logger } = context;
  const { pool } = openPostgres(context, 'worker');
  const store = openEventStore(context);
  const runner = openRunner(context, store);
  const sessions = sessionCommandsOn(context, runner, openRegistry(config, pool));
  const mailer = openMailer(context);
  const { timers, mail } = openEveryQueue(context);
  handleWakeUps(timers, { timers: dueTimersIn(pool), clock, sessions, runner, logger });
  if (mailer !== undefined) handleMails(context, { pool, runner }, mailer, mail);
  return { checks: storeChecks(pool, store) };
};
