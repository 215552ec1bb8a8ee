import { nodeEvents, type NodeEvent } from '../contracts/events/node.ts';
import { refuse } from '../contracts/problems.ts';
import type { DataOf, Decider } from './kit/decider.ts';

type Registered = Readonly<Omit<DataOf<NodeEvent, 'NodeRegistered'>, 'at'>>;

/** A draining node keeps its sessions and gets no new ones. A revoked node is refused for ever. */
export type Node =
  | { readonly status: 'none' }
  | ({ readonly status: 'active' | 'draining' | 'revoked' } & Registered);

export type NodeCommand =
  | ({ readonly type: 'RegisterNode'; readonly at: string } & Registered)
  | { readonly type: 'DrainNode' | 'UndrainNode' | 'RevokeNode'; readonly at: string };

export const node: Decider<Node, NodeCommand, NodeEvent> = {
  category: nodeEvents,
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: NodeCommand, state: Node): readonly NodeEvent[] {
  if (command.type === 'RegisterNode') return registerNode(state, command);
  if (state.status === 'none') throw refuse('not-found');
  const data = { nodeId: state.nodeId, at: command.at };
  switch (command.type) {
    case 'DrainNode':
      return inService(state) === 'active' ? [{ type: 'NodeDrained', data }] : [];
    case 'UndrainNode':
      return inService(state) === 'draining' ? [{ type: 'NodeUndrained', data }] : [];
    case 'RevokeNode':
      return state.status === 'revoked' ? [] : [{ type: 'NodeRevoked', data }];
  }
}

/** A node registers again with the same secret. Another secret under the same id is refused as an impostor's. */
function registerNode(
  state: Node,
  { nodeId, name, credentialHash, at }: Extract<NodeCommand, { type: 'RegisterNode' }>,
): readonly NodeEvent[] {
  if (state.status === 'none') {
    return [{ type: 'NodeRegistered', data: { nodeId, name, credentialHash, at } }];
  }
  if (state.credentialHash !== credentialHash) throw refuse('invalid-key');
  inService(state);
  return [];
}

function inService(state: Exclude<Node, { status: 'none' }>): 'active' | 'draining' {
  if (state.status === 'revoked') throw refuse('revoked-key', 'The node is revoked.');
  return state.status;
}

function evolve(state: Node, event: NodeEvent): Node {
  if (event.type === 'NodeRegistered') {
    if (state.status !== 'none') return state;
    const { nodeId, name, credentialHash } = event.data;
    return { status: 'active', nodeId, name, credentialHash };
  }
  if (state.status === 'none' || state.status === 'revoked') return state;
  switch (event.type) {
    case 'NodeDrained':
      return { ...state, status: 'draining' };
    case 'NodeUndrained':
      return { ...state, status: 'active' };
    case 'NodeRevoked':
      return { ...state, status: 'revoked' };
  }
}
