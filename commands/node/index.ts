import { uuidOf, type NodeId } from '../../contracts/ids.ts';
import { node, type Node, type NodeCommand } from '../../domain/node.ts';
import { now, reportContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface Registration {
  readonly nodeId: NodeId;
  readonly name: string;
  /** SHA-256 of the node's own secret, hex. */
  readonly credentialHash: string;
}

export type NodeCredentialStatus = 'unknown' | Exclude<Node['status'], 'none'>;

/** Nodes: admitted once, authenticated by their own credential, drained and revoked by the operator. */
export function createNodeCommands({ runner, clock }: CommandPorts) {
  const run = (nodeId: NodeId, command: NodeCommand, context: CommandContext) =>
    runner.run(node, uuidOf(nodeId), command, context);
  const at = () => now({ clock });

  return {
    /** Admits a node, or recognises it; refused if the id belongs to another credential or the node is revoked. */
    register: async (registration: Registration): Promise<void> => {
      const { nodeId, credentialHash } = registration;
      const context = reportContext(`register:${nodeId}:${credentialHash}`, 'callback:node-registration');
      await run(nodeId, { type: 'RegisterNode', ...registration, at: at() }, context);
    },
    /** The node's status; `unknown` if it never registered or the credential is not its own. */
    authenticate: async (nodeId: NodeId, credentialHash: string): Promise<NodeCredentialStatus> => {
      const { state } = await runner.load(node, uuidOf(nodeId));
      return state.status === 'none' || state.credentialHash !== credentialHash ? 'unknown' : state.status;
    },
    /** The node's name, set by its operator; null if it never registered. */
    nameOf: async (nodeId: NodeId): Promise<string | null> => {
      const { state } = await runner.load(node, uuidOf(nodeId));
      return state.status === 'none' ? null : state.name;
    },
    drain: (nodeId: NodeId, context: CommandContext) => run(nodeId, { type: 'DrainNode', at: at() }, context),
    undrain: (nodeId: NodeId, context: CommandContext) =>
      run(nodeId, { type: 'UndrainNode', at: at() }, context),
    revoke: (nodeId: NodeId, context: CommandContext) =>
      run(nodeId, { type: 'RevokeNode', at: at() }, context),
  };
}

export type NodeCommands = ReturnType<typeof createNodeCommands>;
