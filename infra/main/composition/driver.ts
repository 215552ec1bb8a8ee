import { mkdirSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { Driver } from '../../fleet/node/driver.ts';
import { createSimulatedDriver } from '../../fleet/simulated/index.ts';
import type { Logger } from '../../logging/index.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';

export interface DriverContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The node's directory, made if missing. */
  readonly dataDir: string;
}

/** The browsers that `DRIVER` asks for; never the simulated ones unless it says so. */
export async function openDriver({ config, clock, dataDir }: DriverContext): Promise<Driver> {
  mkdirSync(dataDir, { recursive: true });
  const guard = createOutboundGuard({ allow: parseAllowList(config.OUTBOUND_ALLOW.join()) });
  switch (config.DRIVER) {
    case 'simulated':
      return createSimulatedDriver({ guard, clock });
    case 'webkit':
      throw new Error('wired with the webkit driver');
  }
}
