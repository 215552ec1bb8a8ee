import { dueTimersIn, handleWakeUps } from '../../../commands/processes/index.ts';
import { sessionCommandsOn } from '../composition/commands.ts';
import { openRegistry } from '../composition/fleet.ts';
import { openEventStore, openPostgres, openRunner, storeChecks } from '../composition/stores.ts';
import { openWakeUps } from '../composition/wake-ups.ts';
import type { ComposeRole } from './role.ts';

/** Does what is due when its wake-up comes; any number of workers may. */
export const worker: ComposeRole = async (context) => {
  const { config, clock, logger } = context;
  const { pool } = openPostgres(context, 'worker');
  const store = openEventStore(context);
  const runner = openRunner(context, store);
  const sessions = sessionCommandsOn(context, runner, openRegistry(config, pool));
  const wakeUps = openWakeUps(context);
  handleWakeUps(wakeUps, { timers: dueTimersIn(pool), clock, sessions, logger });
  return { checks: storeChecks(pool, store) };
};
