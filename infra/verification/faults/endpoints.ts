import { expect } from 'chai';
import { until, type ReceivedMessage, type TestReceivers } from '../testbed/index.ts';
import type { Client } from './client.ts';

const inTime = { limitMs: 60_000, everyMs: 20 };

export interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

/** A client's endpoints, each with a receiver of the same name, and the messages received. */
export interface Endpoints {
  /** @param host name of its receiver, if not its address */
  register(name: string, host?: string): Promise<Endpoint>;
  /** Tests an endpoint; returns the ping's delivery. */
  ping(id: string): Promise<string>;
  cameTo(name: string): readonly ReceivedMessage[];
  arrived(name: string, count: number): Promise<unknown>;
}

export function endpointsOf(client: Client, receivers: TestReceivers, kind: string): Endpoints {
  const cameTo = (name: string) => receivers.received.filter(({ path }) => path === `/${kind}/${name}`);
  return {
    register: async (name, host = '127.0.0.1') => {
      const url = receivers.url(kind, name).replace('127.0.0.1', host);
      const body = { url, events: ['session.completed'] };
      const { status, text, json } = await client.call('POST /v1/webhooks', body);
      expect(status, text).to.equal(201);
      return { id: String(json.id), secret: String(json.secret) };
    },
    ping: async (id) => {
      const { status, text, json } = await client.call(`POST /v1/webhooks/${id}/test`);
      expect(status, text).to.equal(202);
      return String(json.delivery_id);
    },
    cameTo,
    arrived: (name, count) => until(() => cameTo(name).length >= count, inTime),
  };
}

/** Stream of an endpoint or a delivery. */
export const streamOf = (id: string): string =>
  id.replace(/^dlv_/, 'webhook_delivery-').replace(/^whk_/, 'webhook_endpoint-');
