import { countAccountEvents } from '../../../projections/queries/account-event.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { createWriteApi } from '../../../write-api/index.ts';
import { type Config, need } from '../../config/index.ts';
import { createAccountPositions, createDeprecatedUses, createKeyUses } from '../../ephemeral/index.ts';
import { agentPorts } from '../composition/agents.ts';
import { proxyPorts, sessionLimits, settingsPorts, signInPorts } from '../composition/commands.ts';
import { cardOptions } from '../composition/cards.ts';
import { orderOptions } from '../composition/orders.ts';
import { teamPorts } from '../composition/teams.ts';
import { storeChecks, type Ports } from '../composition/ports.ts';
import { openNodeVideos, openPostgres } from '../composition/stores.ts';
import { openOutboundGuard, openWebhookTarget, webhookLimits } from '../composition/outbound.ts';
import { openProfilePorts, spoolDirectory } from '../composition/profiles.ts';
import { internalAddresses } from '../composition/internal-addresses.ts';
import { openRateLimits, rateLevelRoutes, servedMetrics } from '../composition/http.ts';
import { consoleUrl } from '../composition/links.ts';
import type { ComposeRole } from './role.ts';

/** Where uses of keys, and of what is deprecated, are recorded. */
const usesIn = (ports: Parameters<typeof createKeyUses>[0]) => ({
  keyUses: createKeyUses(ports),
  onDeprecatedUse: createDeprecatedUses(ports).record,
});

/** Everything that changes something or claims a browser, and the door nodes call at. Ready with a node that has room. */
export const writeApi: ComposeRole<Ports> = async (ports) => {
  const { config, logger, metrics, lifetime, clock, pool, vault, store, registry, fleet } = ports;
  const rateLimits = openRateLimits(ports);
  // Recordings follow one another, one statement at a time.
  const notes = openPostgres(ports, `${ports.name} notes`, { hasty: true, maxConnections: 1 });
  const positions = createAccountPositions({ pool: notes.pool, logger });
  const { app, close } = createWriteApi({
    store,
    fleet,
    videos: openNodeVideos(config, pool, vault),
    ingress: { registry, ...ingressOf(config) },
    positions,
    ...usesIn({ pool, clock, logger }),
    rateLimits,
    operations: rateLevelRoutes(ports, rateLimits),
    archetypes: archetypeCatalogue,
    sessionLimits: sessionLimits(config),
    ...featurePorts(ports),
    profiles: await openProfilePorts(ports),
    spoolDirectory: spoolDirectory(config),
    addresses: openOutboundGuard(config),
    peppers: ports.peppers,
    keyGraceMs: config.KEY_GRACE,
    keyCacheMs: config.KEY_CACHE_TTL,
    cacheEntries: config.STATE_CACHE,
    ...{ errorsBase: config.ERRORS_BASE, baseUrl: config.BASE_URL },
    models: config.LLM_MODELS,
    onServed: servedMetrics(metrics),
    ...{ clock, logger },
  });
  lifetime.defer('write api', close);
  const unrecorded = 'Notes of accounts’ positions given up';
  metrics.gauge('service_unnoted_positions_total', unrecorded, positions.failures);
  return { app, checks: { ...storeChecks(ports), node: () => someNode(fleet) }, requestTimeoutMs };
};

/** Settings for nodes: the join token, the interval of heartbeats, and the internal addresses that no page may reach. */
const ingressOf = (config: Config) => ({
  joinToken: need(config, 'NODE_JOIN_TOKEN'),
  heartbeatMs: config.HEARTBEAT_INTERVAL,
  internal: internalAddresses(config),
});

/** A node sends the state of a profile for up to five minutes. Customers' requests are limited by the gateway. */
const requestTimeoutMs = 6 * 60_000;

/** Time limit of the name look-up when an endpoint is registered, ms. */
const patienceMs = 5000;

/** What the parts of the API need from outside. */
const featurePorts = (ports: Ports) => {
  const { config, vault, registry } = ports;
  return {
    ...agentPorts(ports),
    cards: cardOptions(ports),
    webhooks: webhookPorts(ports),
    proxies: proxyPorts(config, vault, registry),
    signIn: signInPorts(ports),
    settings: settingsPorts(config, vault),
    deviceFlow: { ttlMs: config.DEVICE_CODE_TTL, verificationUri: `${consoleUrl(config)}/device` },
    teams: teamPorts(config, vault),
    receipts: { vault, retentionMs: config.IDEMPOTENCY_RETENTION },
    orders: orderOptions(config),
  };
};

const webhookPorts = ({ config, pool, vault, registry }: Ports) => ({
  vault,
  target: openWebhookTarget(config, registry.internal, { patienceMs }),
  limits: webhookLimits(config),
  forecast: countAccountEvents.bind(null, pool),
});

/** A full fleet is ready: running sessions continue, and creates are refused for want of room. */
async function someNode({ takesSessions }: Ports['fleet']): Promise<void> {
  if (!(await takesSessions())) throw new Error('no live node takes sessions');
}
