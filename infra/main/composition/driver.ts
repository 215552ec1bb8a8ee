import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../config/index.ts';
import type { Driver } from '../../fleet/node/driver.ts';
import { createSimulatedDriver } from '../../fleet/simulated/index.ts';
import { createWebKitDriver, debianBinaries } from '../../fleet/webkit/index.ts';
import type { Logger } from '../../logging/index.ts';
import { openOutboundGuard } from './outbound.ts';

export interface DriverContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The node's directory, made if missing. */
  readonly dataDir: string;
}

/** The browsers that `DRIVER` asks for; never the simulated ones unless it says so. */
export async function openDriver({ config, clock, logger, dataDir }: DriverContext): Promise<Driver> {
  mkdirSync(dataDir, { recursive: true });
  const guard = openOutboundGuard(config);
  switch (config.DRIVER) {
    case 'simulated':
      return createSimulatedDriver({ guard, clock });
    case 'webkit':
      return createWebKitDriver({
        guard,
        clock,
        logger,
        runtimeDir: config.WEBKIT_RUNTIME_DIR ?? shortDir(dataDir),
        poolSize: config.WARM_BROWSERS,
        nodePorts: [config.NODE_PORT],
        binaries: {
          ...debianBinaries,
          gjs: config.WEBKIT_GJS_BINARY,
          xorg: config.WEBKIT_XORG_BINARY,
        },
        searchEngines: config.SEARCH_ENGINES,
      });
  }
}

/** Socket addresses are short, data directories need not be: the same node gets the same short directory again. */
const shortDir = (dataDir: string): string =>
  join(tmpdir(), `service-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)}`);
