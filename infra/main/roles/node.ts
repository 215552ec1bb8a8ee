import { join } from 'node:path';
import { need } from '../../config/index.ts';
import { startNode } from '../../fleet/node/index.ts';
import { writeUrl } from '../composition/addresses.ts';
import { openDriver } from '../composition/driver.ts';
import type { ComposeRole } from './role.ts';

/** A machine that runs browsers. Ready once the control plane has taken it. */
export const node: ComposeRole = async ({ config, logger, metrics, lifetime, clock }) => {
  const dataDir = join(config.DATA_DIR, 'node');
  const driver = await openDriver({ config, logger, clock, dataDir });
  lifetime.defer('browsers', () => driver.close());
  const running = await startNode({
    name: config.NODE_NAME,
    dataDir,
    driver,
    capacity: config.NODE_CAPACITY,
    controlPlaneUrl: writeUrl(config),
    joinToken: need(config, 'NODE_JOIN_TOKEN'),
    logger,
    clock,
    port: config.NODE_PORT,
    operationGraceMs: config.NODE_OPERATION_GRACE,
    ...(config.NODE_URL !== undefined && { advertisedUrl: config.NODE_URL }),
    ...(config.DRIVER_LOG !== undefined && { driverLog: config.DRIVER_LOG }),
  });
  lifetime.defer('node', () => running.drain());
  metrics.gauge(
    'service_node_sessions',
    'Browsers in use on this node',
    () => running.status().sessions.length,
  );
  metrics.gauge('service_node_capacity', 'Browsers this node runs at once', () => running.status().capacity);
  return { checks: { registration: () => running.registered } };
};
