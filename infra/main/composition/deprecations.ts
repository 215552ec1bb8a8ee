import {
  deprecatedUseSweep,
  deprecationNoticesManager,
} from '../../../commands/process-managers/deprecations.ts';
import { forgetUse, recordedUses } from '../../ephemeral/index.ts';
import type { RoleContext } from '../roles/role.ts';
import type { Deciding } from './stores.ts';

/** What makes events of the uses of what is deprecated, and tells accounts of it. */
export function deprecationProcesses({ config, clock }: RoleContext, { pool, runner, vault }: Deciding) {
  const ports = { runner, clock, vault };
  return {
    managers: [deprecationNoticesManager(ports)],
    sweeps: [
      deprecatedUseSweep({
        ...ports,
        recordedUses: (limit) => recordedUses(pool, limit),
        forget: (use) => forgetUse(pool, use),
        everyMs: config.SWEEP_INTERVAL,
      }),
    ],
  };
}
