import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { instanceHeader, pathOf, tunnelProtocol, tunnelRoutes } from '../../../contracts/fleet/protocol.ts';
import { parseId, type NodeId } from '../../../contracts/ids.ts';
import { acceptUpgrade, joinSockets, refuseUpgrade } from '../../platform/upgrade.ts';
import { admit, type NodeRecord } from '../control-plane/ingress.ts';
import { flushed } from './http2.ts';
import type { Tunnels } from './tunnels.ts';

export interface TunnelIngressOptions {
  readonly nodes: Pick<NodeRecord, 'authenticate'>;
  readonly tunnels: Tunnels;
  readonly logger: Logger;
}

type Take = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

/** Answers upgrades to `tunnelRoutes`. False for any other request. */
export function createTunnelIngress(options: TunnelIngressOptions) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    const take = takerOf(options, request);
    if (take === undefined) return false;
    socket.on('error', () => socket.destroy());
    take(request, socket, head).catch((error: unknown) => {
      options.logger.warn({ err: error }, 'A connection with a node could not be opened.');
      refuseUpgrade(socket, 503);
    });
    return true;
  };
}

function takerOf(options: TunnelIngressOptions, { headers, url = '/' }: IncomingMessage): Take | undefined {
  if (headers.upgrade !== tunnelProtocol) return undefined;
  if (url === pathOf(tunnelRoutes.open)) return openTunnel(options);
  const node = parseId('node', betweenIds.exec(url)?.[1] ?? '');
  return node && connectTo(options, node);
}

const betweenIds = new RegExp(`^${pathOf(tunnelRoutes.connect).replace(':id', '([^/]+)')}$`);

const headersOf = ({ instance }: Tunnels) => ({
  ...{ connection: 'Upgrade', upgrade: tunnelProtocol },
  [instanceHeader]: instance,
});

const openTunnel =
  ({ nodes, tunnels }: TunnelIngressOptions): Take =>
  async ({ headers }, socket, head) => {
    const node = await admit(nodes, headers);
    if (typeof node === 'number') return refuseUpgrade(socket, node);
    acceptUpgrade(socket, headersOf(tunnels));
    if (head.length > 0) socket.unshift(head);
    await flushed(socket);
    tunnels.accept(node.nodeId, socket);
  };

/** Connects to the node without checking credentials: the node does so on every connection. */
const connectTo =
  ({ tunnels }: TunnelIngressOptions, node: NodeId): Take =>
  async (_request, socket, head) => {
    const connection = await tunnels.connect(node);
    if (socket.destroyed) return void connection.destroy();
    acceptUpgrade(socket, headersOf(tunnels));
    if (head.length > 0) connection.write(head);
    joinSockets(socket, connection);
  };
