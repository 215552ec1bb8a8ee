import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import type { NodeId } from '../../../contracts/ids.ts';
import { CachedReads } from '../../platform/cache.ts';
import { request } from '../../platform/request.ts';
import { inSpan, traceHeader } from '../../tracing/index.ts';
import { NodeNotCalled } from './port.ts';
import type { NodeAddress, NodeRegistry } from './registry.ts';

export interface NodeRequest {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Readable | null;
  readonly signal: AbortSignal;
}

/**
 * Calls a route of a node; `:id` stands for the session's id. Rejects with `NodeNotCalled` without an address, and if the
 * node refuses the call.
 */
export type Reach = (
  node: NodeId,
  route: string,
  id: string,
  request: NodeRequest,
) => Promise<Dispatcher.ResponseData>;

export const connector =
  (addressOf: NodeRegistry['address'], dispatcher: Agent): Reach =>
  async (node, route, id, { query = {}, headers = {}, body, signal }) => {
    const [method = '', template = ''] = route.split(' ');
    const address = await addressOf(node).catch((cause: unknown) => {
      throw new NodeNotCalled(`The address of ${node} cannot be read.`, { cause });
    });
    if (!address) throw new NodeNotCalled(`The address of ${node} is not known.`);
    const url = new URL(template.replace(':id', id), address.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const authorization = `Bearer ${address.credential}`;
    const attributes = {
      'http.request.method': method,
      'url.template': template,
      'server.address': url.hostname,
    };
    return inSpan({ name: route, kind: 'client', attributes }, async ({ set }) => {
      const reply = await request(url, {
        ...{ method, dispatcher, body, signal },
        headers: { ...headers, ...traceHeader(), authorization },
      });
      set({ 'http.response.status_code': reply.statusCode });
      if (reply.statusCode <= 299) return reply;
      await reply.body.dump();
      throw new Error(`The node answered ${reply.statusCode}.`);
    });
  };

/**
 * Remembers nodes' addresses for times when the registry cannot be read, or is empty after a crash of Postgres until
 * the next heartbeats. In both cases the nodes are not silent, and their sessions must not be ended. A process that has
 * just started remembers none: its calls reject with `NodeNotCalled`.
 */
export function rememberedAddresses(registry: Pick<NodeRegistry, 'address'>): NodeRegistry['address'] {
  const known = new Map<NodeId, NodeAddress>();
  return async (node) => {
    try {
      const address = (await registry.address(node)) ?? known.get(node);
      if (address !== undefined) known.set(node, address);
      return address;
    } catch (error) {
      const last = known.get(node);
      if (last === undefined) throw error;
      return last;
    }
  };
}

/** Milliseconds for which an address is cached. */
const recentMs = 1000;

/** Caches the addresses of running sessions' nodes. They do not change: a session ends with the process of its node. */
export function recentAddresses(addressOf: NodeRegistry['address']): NodeRegistry['address'] {
  const recent = new CachedReads<NodeAddress | undefined>({
    maxAgeMs: recentMs,
    isCacheable: (address) => address !== undefined,
  });
  return (node) => recent.get(node, () => addressOf(node));
}
