import type { RunningNode } from '../../fleet/node/index.ts';
import type { Metrics } from '../../metrics/index.ts';

/** Browsers of the node, and how many it runs at once. A node that drains takes no new ones, so its free capacity is 0. */
export function nodeMetrics(metrics: Metrics, running: Pick<RunningNode, 'status'>): void {
  metrics.gauge(
    'service_node_sessions',
    'Browsers in use on this node',
    () => running.status().sessions.length,
  );
  const help = 'Browsers this node runs at once; while it drains, those in use';
  metrics.gauge('service_node_capacity', help, () => {
    const { capacity, sessions, draining } = running.status();
    return draining ? sessions.length : capacity;
  });
}
