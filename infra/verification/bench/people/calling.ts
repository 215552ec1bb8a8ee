import { request, type Agent } from 'undici';
import type { Answer, CallOptions } from '../../../http/testing.ts';

/** Requests `METHOD /path` over kept-alive connections, for preparations before a measurement. */
export const calling =
  (dispatcher: Agent, base: string) =>
  async (target: string, { token = null, headers = {}, body }: CallOptions = {}): Promise<Answer> => {
    const [method = 'GET', path = '/'] = target.split(' ');
    const answer = await request(`${base}${path}`, {
      method: method as 'GET' | 'POST',
      dispatcher,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const json = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: answer.statusCode, headers: {}, text, json };
  };
