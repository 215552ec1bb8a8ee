import { parseId, type NodeId } from '../../../contracts/ids.ts';

/** A name that no resolver knows (RFC 6761, 6.4): only those who hold a tunnel, or ask somebody who does, reach it. */
const domain = '.tunnel.invalid';

/** The address of a node that is reached by its tunnels alone. */
export const tunnelUrl = (node: NodeId): string => `http://${node}${domain}`;

/** The node whose address has this host name; undefined for one that is called directly. */
export const nodeBehind = (hostname: string): NodeId | undefined =>
  hostname.endsWith(domain) ? parseId('node', hostname.slice(0, -domain.length)) : undefined;
