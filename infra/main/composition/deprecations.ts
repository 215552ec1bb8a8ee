import type pg from 'pg';
import type { Runner } from '../../../commands/engine/runner.ts';
import {
  deprecatedUseSweep,
  deprecationNoticesManager,
} from '../../../commands/process-managers/deprecations.ts';
import { forgetUse, notedUses } from '../../postgres/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { openVault } from './stores.ts';

/** What makes events of the uses of what is deprecated, and tells accounts of it. */
export function deprecationProcesses(
  { config, clock }: RoleContext,
  { pool, runner }: { readonly pool: pg.Pool; readonly runner: Runner },
) {
  const ports = { runner, clock, vault: openVault(config, pool) };
  return {
    managers: [deprecationNoticesManager(ports)],
    sweeps: [
      deprecatedUseSweep({
        ...ports,
        noted: (limit) => notedUses(pool, limit),
        forget: (use) => forgetUse(pool, use),
        everyMs: config.SWEEP_INTERVAL,
      }),
    ],
  };
}
