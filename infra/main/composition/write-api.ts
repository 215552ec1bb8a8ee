import { createWriteApi, type WriteApi, type WriteEdge } from '../../../write-api/index.ts';
import { positionRecordingStore } from '../../../write-api/engine/position-recording-store.ts';
import { need } from '../../config/index.ts';
import { internalAddresses } from './internal-addresses.ts';
import { consoleUrl } from './links.ts';
import { spoolDirectory } from './profiles.ts';
import { openRunner } from './stores.ts';
import { composeWriteCommands } from './write-commands.ts';
import type { WritePorts } from './write-ports.ts';

/** The write API, with a runner of its own that records the position of each account's last append, for reads to wait for. */
export function composeWriteApi(ports: WritePorts, more: Partial<WriteEdge> = {}): WriteApi {
  const recording = positionRecordingStore(ports.store, ports.positions);
  const { store } = recording;
  const commands = composeWriteCommands({ ...ports, store, runner: openRunner(ports, store) });
  return createWriteApi(commands, { ...edgeOf(ports), ...more, recording });
}

function edgeOf(ports: WritePorts): Omit<WriteEdge, 'recording'> {
  const {
    config,
    clock,
    logger,
    tokens,
    peppers,
    rateLimits,
    keyUses,
    addresses,
    videos,
    registry,
    tunnels,
  } = ports;
  return {
    ...{ clock, logger, rateLimits, keyUses, addresses, peppers, videos },
    errorsBase: config.ERRORS_BASE,
    baseUrl: config.BASE_URL,
    models: config.LLM_MODELS,
    spoolDirectory: spoolDirectory(config),
    onDeprecatedUse: ports.deprecatedUses.record,
    signIn: {
      tokens,
      refreshMs: config.REFRESH_TTL,
      termsRevision: config.TERMS_REVISION,
      verificationUri: `${consoleUrl(config)}/device`,
    },
    ingress: {
      registry,
      tunnels,
      joinToken: need(config, 'NODE_JOIN_TOKEN'),
      heartbeatMs: config.HEARTBEAT_INTERVAL,
      internal: internalAddresses(config),
    },
  };
}
