import { Agent, request } from 'undici';

export type Method = 'GET' | 'POST' | 'DELETE';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

/** A client of the whole service over HTTP, with a connection pool of its own. */
export interface SystemClient {
  /** @throws if the answer is not a success */
  call(method: Method, path: string, body?: object): Promise<Answered>;
  /** The id of a new session. */
  create(): Promise<string>;
  end(session: string): Promise<void>;
  close(): Promise<void>;
}

const connections = 256;

/** `more` are headers of every request. */
export function systemClient(
  base: string,
  apiKey: string,
  more: Readonly<Record<string, string>> = {},
): SystemClient {
  const dispatcher = new Agent({ connections });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...more };
  const call: SystemClient['call'] = async (method, path, body) => {
    const startedAt = performance.now();
    const payload = body === undefined ? null : JSON.stringify(body);
    const answer = await request(`${base}${path}`, { method, headers, dispatcher, body: payload });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return { status: answer.statusCode, text, milliseconds: performance.now() - startedAt };
  };
  return {
    call,
    create: async () => {
      const session = JSON.parse((await call('POST', '/v1/sessions', {})).text) as { readonly id: string };
      return session.id;
    },
    end: async (session) => {
      await call('DELETE', `/v1/sessions/${session}`);
    },
    close: () => dispatcher.close(),
  };
}
