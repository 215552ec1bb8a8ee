import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, need } from '../../config/index.ts';
import type { Driver } from '../../fleet/node/driver.ts';
import { startNode, type LiveViewOptions, type RunningNode } from '../../fleet/node/index.ts';
import { createSimulatedDriver } from '../../fleet/simulated/index.ts';
import { createWebKitDriver, debianBinaries } from '../../fleet/webkit/index.ts';
import type { Logger } from '../../logging/index.ts';
import type { Check, Metrics } from '../../metrics/index.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import type { Clock } from '../../platform/clock.ts';
import { nodeUrl, writeUrl } from '../composition/peers.ts';
import { internalAddresses } from '../composition/internal-addresses.ts';
import { nodeMetrics } from '../composition/node-metrics.ts';
import { openOutboundGuard } from '../composition/outbound.ts';
import { liveViewUrl } from '../composition/public-url.ts';
import { inputMetrics, videoMetrics } from '../composition/video-metrics.ts';
import type { ComposeRole } from './role.ts';

/** A machine that runs browsers. Ready once a browser has started and the control plane has admitted the node. */
export const node: ComposeRole = async ({ config, logger, metrics, lifetime, clock, tls }) => {
  const dataDir = join(config.DATA_DIR, 'node');
  const internal: { places: readonly string[] } = { places: [] };
  const guard = openOutboundGuard(config, () => internal.places);
  const driver = await openDriver({ config, logger, clock, dataDir, guard });
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
    host: config.INTERNAL_HOST,
    port: config.NODE_PORT,
    tls,
    operationGraceMs: config.NODE_OPERATION_GRACE,
    ...(config.NODE_CONNECT === 'dial' ? { connect: 'dial' } : { advertisedUrl: nodeUrl(config) }),
    ...(config.DRIVER_LOG !== undefined && { driverLog: config.DRIVER_LOG }),
    ...videoOf(config, logger, metrics),
    internal: internalAddresses(config),
    onInternal: (places) => (internal.places = places),
  });
  lifetime.defer('node', async () => {
    await running.release(config.DRAIN_LIMIT);
    await running.drain();
  });
  nodeMetrics(metrics, running);
  videoMetrics(metrics, running);
  const checks = { browsers: () => running.browsers(), registration: () => running.registered };
  return { checks: { ...checks, ...tunnelChecks(metrics, running) } };
};

/** Health checks of a node that dials. Without any tunnel nobody can call it. */
function tunnelChecks(metrics: Metrics, { tunnels }: Pick<RunningNode, 'tunnels'>): Record<string, Check> {
  if (tunnels === undefined) return {};
  metrics.gauge('service_node_tunnels', 'Tunnels of this node to write-api processes', () => tunnels.size);
  const some = async () => {
    if (tunnels.size === 0) throw new Error('no write-api is connected');
  };
  return { tunnels: some };
}

/**
 * How browsers are shown: by the node itself, unless the operator names a LiveKit server, which needs all three of its variables.
 */
function videoOf(config: Config, logger: Logger, metrics: Metrics) {
  const { VIDEO: by = config.VIDEO_WS_URL === undefined ? 'node' : 'livekit' } = config;
  if (by === 'node') return { liveView: { ...liveViewOf(config), onInput: inputMetrics(metrics) } };
  return by === 'off' ? {} : liveKitOf(config, logger);
}

const liveViewOf = (config: Config): LiveViewOptions => ({
  wsUrl: liveViewUrl(config),
  ice: {
    addresses: config.VIDEO_ADDRESS ?? [],
    ports: config.VIDEO_UDP_PORTS,
    servers: config.VIDEO_ICE_SERVERS,
    peerAllow: parseAllowList(config.VIDEO_PEER_ALLOW.join()),
  },
});

function liveKitOf(config: Config, logger: Logger) {
  const { VIDEO_WS_URL: ws_url, VIDEO_API_KEY: api_key, VIDEO_API_SECRET: api_secret } = config;
  if (ws_url !== undefined && api_key !== undefined && api_secret !== undefined)
    return { video: { ws_url, api_key, api_secret } };
  if ([ws_url, api_key, api_secret].some((given) => given !== undefined))
    logger.warn('Video is off. Set VIDEO_WS_URL, VIDEO_API_KEY and VIDEO_API_SECRET together.');
  return {};
}

interface DriverContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The node's directory, created if missing. */
  readonly dataDir: string;
  readonly guard: OutboundGuard;
}

/** The browsers of `DRIVER`; never simulated ones by default. */
async function openDriver({ config, clock, logger, dataDir, guard }: DriverContext): Promise<Driver> {
  mkdirSync(dataDir, { recursive: true });
  switch (config.DRIVER) {
    case 'simulated':
      return createSimulatedDriver({ guard, clock, hasWindow: config.SIMULATED_WINDOW === 'on' });
    case 'webkit':
      return createWebKitDriver({
        guard,
        clock,
        logger,
        runtimeDir: config.WEBKIT_RUNTIME_DIR ?? shortDir(dataDir),
        hidden: [config.DATA_DIR],
        poolSize: config.WARM_BROWSERS,
        nodeMemory: config.NODE_MEMORY,
        bounds: {
          memoryBytes: config.BROWSER_MEMORY,
          threads: config.BROWSER_THREADS,
          diskBytes: config.BROWSER_DISK,
        },
        controlGroups: config.BROWSER_CONTROL_GROUPS,
        binaries: {
          ...debianBinaries,
          gjs: config.WEBKIT_GJS_BINARY,
          xorg: config.WEBKIT_XORG_BINARY,
        },
        searchEngines: config.SEARCH_ENGINES,
      });
  }
}

/** Socket paths are short, data directories may be long: a node always gets the same short directory. */
const shortDir = (dataDir: string): string =>
  join(tmpdir(), `service-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)}`);
