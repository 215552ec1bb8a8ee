import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, buildConnector } from 'undici';
import { pathOf, tunnelProtocol, tunnelRoutes } from '../../../contracts/fleet/protocol.ts';
import type { NodeId } from '../../../contracts/ids.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { requestUpgrade } from '../../platform/upgrade.ts';
import { nodeBehind } from './address.ts';

/** Connects to nodes that cannot be called directly. */
export interface NodeTunnels {
  /** A connection to the node's server. Rejects without a tunnel to it; `agent` is the agent that asks for it. */
  connect(node: NodeId, agent: Agent): Promise<Duplex>;
  /** Whether this process has a tunnel to the node. */
  has(node: NodeId): boolean;
}

export interface NodeAgentOptions extends Pick<
  Agent.Options,
  'connections' | 'headersTimeout' | 'bodyTimeout'
> {
  readonly tunnels?: NodeTunnels | undefined;
  /** TLS of direct connections. Default plain TCP. */
  readonly tls?: InternalTls | undefined;
}

/** Calls nodes at their addresses, including those that are reached by tunnels. */
export function createNodeAgent({ tunnels, tls, ...limits }: NodeAgentOptions): Agent {
  const direct = tls?.connect ?? buildConnector({});
  const agent: Agent = new Agent({
    ...limits,
    connect: (options, done) => {
      const node = nodeBehind(options.hostname);
      if (node === undefined || tunnels === undefined) return direct(options, done);
      tunnels.connect(node, agent).then(
        // undici uses only the part of a socket that is a stream.
        (connection) => done(null, connection as Socket),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
  return agent;
}

/** Milliseconds that write-api may take to connect to a node. */
const limitMs = 10_000;

/** For processes without tunnels: connects through write-api. */
export const throughControlPlane = (writeUrl: string): NodeTunnels => ({
  has: () => true,
  connect: async (node, agent) => {
    const url = new URL(pathOf(tunnelRoutes.connect).replace(':id', node), writeUrl);
    const { socket } = await requestUpgrade(agent, { url, protocol: tunnelProtocol, limitMs });
    return socket;
  },
});
