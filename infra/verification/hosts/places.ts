import { loadConfig } from '../../config/index.ts';

/** The nodes' hosts; the last is behind a router with address translation. */
const nodeAddresses = { 'node-1': '10.77.0.21', 'node-2': '10.77.0.22', 'node-3': '192.168.77.2' } as const;

/** All hosts, each in its namespace. The load balancers are on `control`. */
export const addresses = {
  stores: '10.77.0.1',
  control: '10.77.0.2',
  'api-1': '10.77.0.11',
  'api-2': '10.77.0.12',
  client: '10.77.0.100',
  ...nodeAddresses,
} as const;
export const routerAddress = '10.77.0.30';
export const hidden = 'node-3';

export type HostName = keyof typeof addresses;
export type NodeName = keyof typeof nodeAddresses;
export const hostNames = Object.keys(addresses) as readonly HostName[];
export const nodeNames = Object.keys(nodeAddresses) as readonly NodeName[];
export const apiHosts = ['api-1', 'api-2'] as const;
/** Hosts with a tunnel to the stores, which is encrypted by their certificates. */
export const withStores = ['control', ...apiHosts] as const;

export const isNode = (name: HostName): name is NodeName => name in nodeAddresses;

/** The defaults of the service, as documented. */
export const defaults = loadConfig({});

/** The roles on both API hosts, behind balancers on the same ports of `control`. */
export const balanced = {
  gateway: { port: defaults.PORT, scheme: 'http' },
  'write-api': { port: defaults.WRITE_PORT, scheme: 'https' },
  'read-api': { port: defaults.READ_PORT, scheme: 'https' },
} as const;

const urlOf = ({ scheme, port }: { readonly scheme: string; readonly port: number }): string =>
  `${scheme}://${addresses.control}:${port}`;

export const urls = {
  BASE_URL: urlOf(balanced.gateway),
  WRITE_URL: urlOf(balanced['write-api']),
  READ_URL: urlOf(balanced['read-api']),
};
