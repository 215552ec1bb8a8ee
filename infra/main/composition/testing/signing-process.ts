import pino from 'pino';
import { loadConfig } from '../../../config/index.ts';
import { createMetrics } from '../../../metrics/index.ts';
import { sealedStore } from '../../../personal/sealed-store.ts';
import { systemClock as clock } from '../../../platform/clock.ts';
import { createLifetime } from '../../lifetime.ts';
import { auditHeadProcesses } from '../audit-heads.ts';
import { openEventStore, openPostgres, openRunner, openVault } from '../stores.ts';

/**
 * Signs heads of audit logs, round by round, and reports each round. `KILLED`: where it kills itself, `before` or `after` a
 * note's append, before it is marked as recorded.
 */
const config = loadConfig(process.env);
const logger = pino({ level: 'silent' });
const opening = { config, logger, lifetime: createLifetime(logger) };
const { pool } = openPostgres(opening, 'signer');
const record = openEventStore(opening);
const vault = openVault(config, pool);
const runner = openRunner(opening, sealedStore(record, vault));
const dieAt = (moment: string) => {
  if (process.env.KILLED === moment) process.kill(process.pid, 'SIGKILL');
};
const dying: typeof runner = {
  ...runner,
  run: async (...args: Parameters<typeof runner.run>) => {
    dieAt('before');
    const result = await runner.run(...args);
    dieAt('after');
    return result;
  },
} as typeof runner;
const metrics = createMetrics('signer');
const { sweeps } = auditHeadProcesses({ config, clock, logger, metrics, pool, record, vault, runner: dying });
process.once('disconnect', () => process.exit(0));
const { signal } = new AbortController();
for (;;) {
  // As in the host: failures are retried in the next round.
  const done = await Promise.allSettled(sweeps.map(({ run }) => run(signal)));
  if (done.every(({ status }) => status === 'fulfilled')) process.send?.('round');
  await new Promise((resolve) => setTimeout(resolve, 5));
}
