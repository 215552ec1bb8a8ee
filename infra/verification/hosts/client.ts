import { expect } from 'chai';
import { Agent, fetch, request } from 'undici';
import type { Fetch } from 'service/client';
import type { Installation } from './installation.ts';
import { urls } from './places.ts';

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly ms: number;
}

/** A customer, whose requests come from the clients' host. */
export interface Client {
  readonly apiKey: string;
  readonly fetch: Fetch;
  ask(target: string, body?: object): Promise<Answer>;
  /** The same, for requests that must succeed. */
  call(target: string, body?: object): Promise<Answer['json']>;
  create(body?: object): Promise<string>;
  visit(session: string): Promise<unknown>;
  statusOf(session: string): Promise<unknown>;
  end(...sessions: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}

export async function newClient({ account, door }: Pick<Installation, 'account' | 'door'>): Promise<Client> {
  const { api_key: apiKey } = await account();
  const dispatcher = new Agent({ connect: { socketPath: door } });
  const ask: Client['ask'] = async (target, body) => {
    const [method = '', path = ''] = target.split(' ');
    const startedAt = performance.now();
    const answer = await request(new URL(path, urls.BASE_URL), {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Answer['json'];
    return { status: answer.statusCode, json, ms: performance.now() - startedAt };
  };
  const call: Client['call'] = async (target, body) => {
    const { status, json } = await ask(target, body);
    expect(status, `${target}: ${JSON.stringify(json)}`).to.be.below(300);
    return json;
  };
  return {
    apiKey,
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
    ask,
    call,
    create: async (body = {}) => String((await call('POST /v1/sessions', body)).id),
    visit: (id) => call(`POST /v1/sessions/${id}/navigate`, { url: 'http://sim.test/' }),
    statusOf: async (id) => (await call(`GET /v1/sessions/${id}`)).status,
    end: (...ids) => Promise.all(ids.map((id) => call(`DELETE /v1/sessions/${id}`))),
    close: () => dispatcher.close(),
  };
}
