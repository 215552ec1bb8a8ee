import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Side } from '../../../contracts/routes/index.ts';
import type { Config } from '../../config/index.ts';
import { createConsole } from '../../gateway/console.ts';
import { createGateway } from '../../gateway/index.ts';
import { pathIn, routeFor } from '../../http/index.ts';
import type { OnCalled } from '../../mcp/called.ts';
import type { Metrics } from '../../metrics/index.ts';
import { consoleUrl } from '../composition/links.ts';
import { liveViewUrl, publicUrl } from '../composition/public-url.ts';
import { peerCheck, readUrl, writeUrl } from '../composition/peers.ts';
import type { ComposeRole } from './role.ts';

/** The console of the bundle that this process runs from. */
function openConsole(config: Config) {
  const { SERVICE_BUNDLE: bundle } = process.env;
  if (bundle === undefined) return undefined;
  const { TERMS_REVISION: termsRevision, ERRORS_BASE: errorsBase } = config;
  const videoUrl = config.VIDEO_WS_URL ?? liveViewUrl(config);
  return createConsole({ directory: join(bundle, 'console'), termsRevision, errorsBase, videoUrl });
}

/** Counts the tool calls at `/mcp`. */
function countCalls(metrics: Metrics): OnCalled {
  const calls = metrics.counter(
    'service_mcp_calls_total',
    'Calls of tools; asked: a person is asked before the answer; cancelled: the client has left',
    'tool',
    'outcome',
  );
  const durations = metrics.durations(
    'service_mcp_call_duration_seconds',
    'Time from a call of a tool to its answer',
    'tool',
  );
  return (call, ms) => {
    calls(call);
    durations({ tool: call.tool }, ms);
  };
}

/** Undefined for a request to no API, such as one for a file of the console, whose answers are not counted either. */
const sideOf = (request: IncomingMessage): Side | undefined =>
  routeFor(request.method ?? 'GET', pathIn(request))?.side;

/** The one URL for clients. Ready when both APIs and all configured peers are. */
export const gateway: ComposeRole = async ({ config, logger, lifetime, metrics, tls }) => {
  const answered = metrics.counter(
    'service_gateway_requests_total',
    'Requests that were answered, by side of the API and status; broken: the answer ended in the middle; heartbeat: reported input, always refused with 503',
    'side',
    'status',
  );
  for (const side of ['read', 'write'] as const)
    for (const status of ['500', '503', 'broken']) answered({ side, status }, 0);
  const { listener, upgrade, drain, toolRequests, close } = createGateway({
    writeUrl: writeUrl(config),
    readUrl: readUrl(config),
    tls,
    console: openConsole(config),
    mcp: { baseUrl: publicUrl(config), consoleUrl: consoleUrl(config), onCalled: countCalls(metrics) },
    errorsBase: config.ERRORS_BASE,
    logger,
    onAnswered: (side, status) => answered({ side, status: String(status) }),
    trustForwarded: config.TRUST_FORWARDED,
  });
  metrics.gauge(
    'service_mcp_connections',
    'Connections of clients of the tools: requests at /mcp that are being answered',
    toolRequests,
  );
  lifetime.defer('upstream connections', close);
  const { METRICS_TOKEN: token } = config;
  const peers = new Set([writeUrl(config), readUrl(config), ...(config.READY_PEERS ?? [])]);
  return {
    app: listener,
    upgrade,
    drain,
    onShed: (request) => {
      const side = sideOf(request);
      if (side !== undefined) answered({ side, status: '503' });
    },
    checks: Object.fromEntries([...peers].map((peer) => [peer, peerCheck(peer, { token, tls })])),
  };
};
