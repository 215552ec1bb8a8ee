import { freePort } from '../../platform/free-port.ts';
import type { StackStores } from './stack-stores.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Targets that a proxy can be put in front of, for every process of the stack that connects to them. */
export const linkNames = ['event-store', 'postgres', 'redis', 'write-api', 'read-api', 'node'] as const;
export type LinkName = (typeof linkNames)[number];

export interface StackLinks {
  /** @throws if there is no proxy */
  link(name: LinkName): TcpProxy;
  /** The variables that lead the stack's processes to the proxies. */
  readonly environment: Readonly<Record<string, string>>;
  heal(): Promise<void>;
  close(): Promise<void>;
}

interface Place {
  /** Address of the real one. */
  readonly url: string;
  /** The variable that names its address. */
  readonly variable: string;
  /** Further settings of the stack. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A role gets a port that is known beforehand, and the proxy's address is published for it. */
const role = (port: number, listens: string, variable: string): Place => ({
  url: `http://127.0.0.1:${port}`,
  variable,
  environment: { [listens]: String(port) },
});

const places: Readonly<Record<LinkName, (stores: StackStores, port: number) => Place>> = {
  'event-store': ({ eventStore }) => ({ url: eventStore.url, variable: 'EVENTSTORE_URL' }),
  postgres: ({ postgres }) => ({ url: postgres.url, variable: 'POSTGRES_URL' }),
  redis: ({ redis }) => ({ url: redis?.url ?? '', variable: 'QUEUE_URL' }),
  'write-api': (_stores, port) => role(port, 'WRITE_PORT', 'WRITE_URL'),
  'read-api': (_stores, port) => role(port, 'READ_PORT', 'READ_URL'),
  node: (_stores, port) => role(port, 'NODE_PORT', 'NODE_URL'),
};

/** Starts a proxy for each name. */
export async function startLinks(names: readonly LinkName[], stores: StackStores): Promise<StackLinks> {
  const links = await Promise.all(
    names.map(async (name) => {
      const { url, variable, environment } = places[name](stores, await freePort());
      const { hostname, port } = new URL(url);
      const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      return { name, proxy, environment: { ...environment, [variable]: proxy.through(url) } };
    }),
  );
  const each = async (act: (proxy: TcpProxy) => Promise<void>): Promise<void> => {
    await Promise.all(links.map(({ proxy }) => act(proxy)));
  };
  return {
    link: (name) => {
      const link = links.find((candidate) => candidate.name === name);
      if (link === undefined) throw new Error(`No proxy stands before ${name}.`);
      return link.proxy;
    },
    environment: Object.assign({}, ...links.map(({ environment }) => environment)) as Record<string, string>,
    heal: () => each((proxy) => proxy.heal()),
    close: () => each((proxy) => proxy.close()),
  };
}
