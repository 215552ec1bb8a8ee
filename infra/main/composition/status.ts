import type { Processes, Sweep } from '../../../commands/process-managers/index.ts';
import { statusManagers } from '../../../commands/process-managers/status.ts';
import { appendProbe } from '../../../commands/status/append-probe.ts';
import { createProber, type Probes } from '../../../commands/status/prober.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { statusComponentIds } from '../../../contracts/status.ts';
import { allPrefixes } from '../../../projections/catalogue.ts';
import { projectedUpTo } from '../../../projections/engine/checkpoint.ts';
import { hasSubscribersUpTo, subscribersTo } from '../../../projections/queries/status-subscriber.ts';
import { lastPosition } from '../../event-store/client/index.ts';
import { createSimulatedDriver } from '../../fleet/simulated/index.ts';
import { grammar } from '../../model/grammar/grammar.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { isAdvisoryLockHeld } from '../../postgres/advisory-lock.ts';
import { agentProbe, browsingProbe } from '../../probes/browsing.ts';
import { lagProbe } from '../../probes/lag.ts';
import { createSelfDelivery } from '../../probes/self-delivery.ts';
import { readUrl, writeUrl } from './peers.ts';
import type { Ports } from './ports.ts';
import { request } from '../../platform/request.ts';

/** Timeout of one probe, in milliseconds. */
const limitMs = 8_000;
/** Maximum lag of the read models, in milliseconds. */
const projectionLimitMs = 15_000;

/** Reactions to incidents and subscriptions, and the service's probes. */
export const statusProcesses = (ports: Ports): Processes => ({
  managers: statusManagers({
    ...ports,
    subscribers: (components, page) => subscribersTo(ports.pool, components, page),
    isListedUpTo: (position) => hasSubscribersUpTo(ports.pool, position),
  }),
  sweeps: probing(ports),
});

/** Empty if disabled. Runs on the leader of the process hosts. */
function probing(ports: Ports): readonly Sweep[] {
  const { config, clock, metrics, lifetime, logger, runner } = ports;
  if (config.STATUS_PROBE_INTERVAL === 0) return [];
  const results = metrics.counter('service_probes_total', 'Probes of the service', 'component', 'outcome');
  for (const component of statusComponentIds) results({ component, outcome: 'failed' }, 0);
  const prober = createProber({
    ...{ runner, clock, limitMs },
    probes: openProbes(ports),
    onResult: (component, error) => {
      results({ component, outcome: error === null ? 'succeeded' : 'failed' });
      if (error !== null) logger.warn({ component, error }, 'A probe failed.');
    },
  });
  // Counts that cannot be recorded are lost, harmlessly.
  lifetime.defer('prober', () => prober.flush().catch(() => undefined));
  return [{ name: 'probes', everyMs: config.STATUS_PROBE_INTERVAL, run: prober.round }];
}

function openProbes({ config, clock, lifetime, pool, store, registry, tls }: Ports): Probes {
  const [archetype] = archetypeCatalogue.archetypes;
  if (archetype === undefined) throw new Error('There is no archetype to probe with.');
  const driver = createSimulatedDriver({ guard: createOutboundGuard(), clock });
  const browse = browsingProbe({ driver, archetype });
  const actAsAgent = agentProbe({ driver, archetype, grammar });
  const assertNode = async () => {
    const nodes = await registry.list();
    if (!nodes.some(({ ageMs, draining }) => ageMs < config.NODE_STALE_AFTER && !draining))
      throw new Error('No live node takes new sessions.');
  };
  const delivery = createSelfDelivery({ clock, timeoutMs: limitMs / 2 });
  lifetime.defer('self-delivery', () => delivery.close());
  const assertDelivering = async () => {
    if (!(await isAdvisoryLockHeld(pool, 'deliveries'))) throw new Error('No worker makes first attempts.');
  };
  return {
    api: all(
      answers(tls, 'GET', `${readUrl(config)}/v1/archetypes`),
      answers(tls, 'OPTIONS', `${writeUrl(config)}/v1/sessions`),
      appendProbe(store),
    ),
    sessions: all(browse, assertNode),
    'agent-sessions': all(actAsAgent, assertNode),
    webhooks: all(delivery.probe, assertDelivering),
    projections: lagProbe({
      end: () => lastPosition(store, allPrefixes),
      reached: () => projectedUpTo(pool),
      limitMs: projectionLimitMs,
    }),
  };
}

const all =
  (...probes: readonly (() => Promise<unknown>)[]) =>
  (): Promise<unknown> =>
    Promise.all(probes.map((probe) => probe()));

const answers = (tls: Ports['tls'], method: 'GET' | 'OPTIONS', url: string) => async (): Promise<void> => {
  const { statusCode, body } = await request(url, {
    ...{ method, signal: AbortSignal.timeout(limitMs) },
    ...(tls && { dispatcher: tls.agent }),
  });
  await body.dump();
  if (statusCode >= 300)
    throw new Error(`${method} ${new URL(url).pathname} was answered with ${statusCode}.`);
};
