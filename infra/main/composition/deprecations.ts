import {
  deprecatedUseSweep,
  deprecationNoticesManager,
} from '../../../commands/process-managers/deprecations.ts';
import type { Processes } from '../../../commands/process-managers/index.ts';
import { forgetUse, recordedUses } from '../../ephemeral/index.ts';
import type { Ports } from './ports.ts';

/** Records uses of deprecated features as events, and notifies accounts of them. */
export function deprecationProcesses({ config, clock, logger, pool, runner, vault }: Ports): Processes {
  const ports = { runner, clock, vault };
  return {
    managers: [deprecationNoticesManager(ports)],
    sweeps: [
      deprecatedUseSweep({
        ...ports,
        logger,
        recordedUses: (limit, after) => recordedUses(pool, limit, after),
        forget: (use) => forgetUse(pool, use),
        everyMs: config.SWEEP_INTERVAL,
      }),
    ],
  };
}
