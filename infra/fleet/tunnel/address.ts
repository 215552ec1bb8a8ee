import { parseId, type NodeId } from '../../../contracts/ids.ts';

/** A domain that no resolver knows (RFC 6761, 6.4): only holders of a tunnel, and processes that connect through them, can use it. */
const domain = '.tunnel.invalid';

/** The address of a node that can only be reached by its tunnels. */
export const tunnelUrl = (node: NodeId): string => `http://${node}${domain}`;

/** The node that has this host name; undefined for one that is called directly. */
export const nodeBehind = (hostname: string): NodeId | undefined =>
  hostname.endsWith(domain) ? parseId('node', hostname.slice(0, -domain.length)) : undefined;
