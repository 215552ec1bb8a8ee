import type { ServiceCommand } from './command.ts';
import type { NodeId } from '../../../contracts/ids.ts';
import type { OperatorNode } from '../../../contracts/operator.ts';
import { openRegistry } from '../composition/stores.ts';
import type { Operator } from './operator.ts';
import { headedTable, type Answer } from './output.ts';
import { idOf } from './parse.ts';

const changes = {
  drain: 'place no new sessions on a node',
  undrain: 'place new sessions on a node again',
  revoke:
    'revoke the credential of a node for ever, and end its sessions: it no longer belongs to this installation',
} as const;

/** `service nodes …` */
export function nodeCommands(program: ServiceCommand): void {
  const nodes = program.command('nodes').description('the machines that run browsers');
  nodes.command('list').description('list the nodes with their state and load').operates('array', list);
  for (const [name, description] of Object.entries(changes) as [keyof typeof changes, string][])
    nodes
      .command(name)
      .description(description)
      .argument('<node>', 'nod_<uuid>', idOf('node'))
      .operates('object', async (operator, node: NodeId) => {
        await operator.nodes[name](node, operator.context);
        if (name === 'revoke') await openRegistry(operator.config, operator.pool).forget(node);
        return { value: { node_id: node, done: name }, lines: [`${node}: ${name} done`] };
      });
}

/** The nodes with what runs on each. */
export async function nodesOf({ config, pool, nodes }: Operator): Promise<readonly OperatorNode[]> {
  const rows = await openRegistry(config, pool).list();
  const names = await Promise.all(rows.map(({ nodeId }) => nodes.nameOf(nodeId)));
  return rows.map(({ nodeId, ageMs, clockAheadMs = null, leavesInMs: _, ...row }, index) => ({
    node_id: nodeId,
    name: names[index] ?? null,
    ...row,
    live: ageMs < config.NODE_STALE_AFTER,
    last_heartbeat_ms_ago: Math.round(ageMs),
    clock_ahead_ms: clockAheadMs === null ? null : Math.round(clockAheadMs),
  }));
}

async function list(operator: Operator): Promise<Answer> {
  const rows = await nodesOf(operator);
  const value = rows.map(({ sessions, ...row }) => ({ ...row, sessions: sessions.length }));
  const lines = headedTable(value, {
    ...{ node: 'node_id', name: 'name', driver: 'driver' },
    sessions: ({ sessions, capacity }) => `${sessions} of ${capacity}`,
    state: ({ live, draining }) => (live ? (draining ? 'draining' : 'live') : 'lost'),
    address: 'url',
  });
  return { value, lines };
}
