import { countingKeyRefusals } from '../composition/agent-metrics.ts';
import { rateLevelRoutes, openServed } from '../composition/http.ts';
import { storeChecks, type Keys, type Ports } from '../composition/ports.ts';
import { composeWriteApi } from '../composition/write-api.ts';
import { openWritePorts } from '../composition/write-ports.ts';
import type { ComposeRole } from './role.ts';

/**
 * Serves all routes that change something or claim a browser, and the control routes for nodes. Ready without a node,
 * because nodes register here.
 */
export const writeApi: ComposeRole<Keys> = async (opened) => {
  const ports = await openWritePorts(opened);
  const { config, metrics, lifetime, fleet, positions, tunnels } = ports;
  const model = countingKeyRefusals(metrics, ports.model, config.LLM_API_KEY);
  const callbacks = metrics.counter(
    'service_card_callbacks_total',
    'Callbacks of the card processor, by whether they were kept',
    'outcome',
  );
  const { app, upgrade, idle, close } = composeWriteApi(
    { ...ports, model },
    {
      operations: rateLevelRoutes(ports, ports.rateLimits),
      onServed: openServed(ports),
      onCardCallback: (outcome) => callbacks({ outcome }),
    },
  );
  lifetime.defer('write api', close);
  metrics.gauge('service_fleet_tunnels', 'Tunnels of nodes to this process', () => tunnels.size);
  const unrecorded = 'Positions of accounts that could not be recorded';
  metrics.gauge('service_unnoted_positions_total', unrecorded, positions.failures);
  const degradations = { node: () => someNode(fleet) };
  return { app, upgrade, idle, checks: storeChecks(ports), degradations };
};

/** A full fleet is not degraded: running sessions continue, and creates are refused for want of room. */
async function someNode({ takesSessions }: Ports['fleet']): Promise<void> {
  if (!(await takesSessions())) throw new Error('no live node accepts sessions');
}
