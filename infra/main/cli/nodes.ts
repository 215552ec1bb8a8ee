import type { Command } from 'commander';
import type { NodeId } from '../../../contracts/ids.ts';
import { openRegistry } from '../composition/fleet.ts';
import { asOperator, type Operator } from './operator.ts';
import { show, tableOf, type Json } from './output.ts';
import { nodeId } from './parse.ts';

const changes = {
  drain: 'give it no new sessions',
  undrain: 'give it new sessions again',
  revoke: 'end its credential: it is no node of ours any more',
} as const;

/** `service nodes …` */
export function nodeCommands(program: Command): void {
  const nodes = program.command('nodes').description('the machines that run browsers');
  nodes
    .command('list')
    .description('nodes that say they live, with their load')
    .option('--json', 'print one JSON array')
    .action(list);
  for (const [name, description] of Object.entries(changes) as [keyof typeof changes, string][]) {
    nodes
      .command(name)
      .description(description)
      .argument('<node>', 'nod_<uuid>', nodeId)
      .option('--json', 'print one JSON object')
      .action((node: NodeId, { json }: Json) =>
        asOperator(async (operator) => {
          await operator.nodes[name](node, operator.context);
          show(json, { node_id: node, done: name }, [`${node}: ${name} done`]);
        }),
      );
  }
}

function list({ json }: Json): Promise<void> {
  return asOperator(async ({ config, pool }: Operator) => {
    const rows = await openRegistry(config, pool).list();
    const nodes = rows.map(({ nodeId: id, sessions, ageMs, ...row }) => ({
      node_id: id,
      ...row,
      sessions: sessions.length,
      live: ageMs < config.NODE_STALE_AFTER,
      last_heartbeat_ms_ago: Math.round(ageMs),
    }));
    const lines = nodes.map((node) => [
      node.node_id,
      node.driver,
      `${node.sessions} of ${node.capacity}`,
      node.live ? (node.draining ? 'draining' : 'live') : 'lost',
      node.url,
    ]);
    show(json, nodes, tableOf([['node', 'driver', 'sessions', 'state', 'address'], ...lines]));
  });
}
