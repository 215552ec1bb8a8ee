import { createHash, timingSafeEqual } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Register } from '../contracts/fleet/protocol.ts';
import { toId, uuidOf, type NodeId } from '../contracts/ids.ts';
import { node, type NodeCommand } from '../domain/node/index.ts';
import type { Clock } from '../infra/clock.ts';
import { systemCause } from './causes.ts';
import type { CommandContext } from './context.ts';
import type { Runner } from './runner.ts';

export interface NodePorts {
  readonly runner: Runner;
  readonly clock: Clock;
}

/** Who the nodes are: admitted once, known by their own credential, drained and revoked by the operator. */
export function createNodeCommands({ runner, clock }: NodePorts) {
  const run = (nodeId: NodeId, command: NodeCommand, context: CommandContext) =>
    runner.run(node, uuidOf(nodeId), command, context);
  const at = (): string => clock.now().toISOString();

  return {
    /** The node's id: a new one, or the one it had when it comes back with the same credential. */
    register: async ({ node_id, name, credential }: Register): Promise<NodeId> => {
      const nodeId = node_id ?? toId('node', uuidv7());
      const command = {
        type: 'RegisterNode',
        nodeId,
        name,
        credentialHash: hashOf(credential),
        at: at(),
      } as const;
      const cause = systemCause(`register:${nodeId}:${command.credentialHash}`);
      await run(nodeId, command, { ...cause, actor: { kind: 'node', account_id: null } });
      return nodeId;
    },
    /** What the node is now; `unknown` when the credential is not its own. */
    authenticate: async (nodeId: NodeId, credential: string) => {
      const { state } = await runner.load(node, uuidOf(nodeId));
      if (state.status === 'none' || !sameHash(state.credentialHash, hashOf(credential))) return 'unknown';
      return state.status;
    },
    drain: (nodeId: NodeId, context: CommandContext) => run(nodeId, { type: 'DrainNode', at: at() }, context),
    undrain: (nodeId: NodeId, context: CommandContext) =>
      run(nodeId, { type: 'UndrainNode', at: at() }, context),
    revoke: (nodeId: NodeId, context: CommandContext) =>
      run(nodeId, { type: 'RevokeNode', at: at() }, context),
  };
}

export type NodeCommands = ReturnType<typeof createNodeCommands>;

/** Credentials are random and long, so a plain SHA-256 keeps them. */
const hashOf = (credential: string): string => createHash('sha256').update(credential).digest('hex');
const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
