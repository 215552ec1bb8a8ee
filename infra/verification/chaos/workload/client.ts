import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { AccountId } from '../../../../contracts/ids.ts';
import type { ProblemSlug } from '../../../../contracts/problems.ts';
import type { Answer, Exchange, History } from '../history.ts';

/** Longer than any operation of the workload takes, its grace period included, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Milliseconds before the next request of a client that got no answer, or that a part is unavailable. */
const PAUSE_MS = 300;

/** Problems of the browser: the operation was carried out and failed, and its outcome is recorded. */
const failures: readonly ProblemSlug[] = ['driver-error', 'driver-not-integrated', 'session-timeout'];

export interface Call {
  readonly action: string;
  /** `METHOD /path` */
  readonly target: string;
  readonly body?: unknown;
  readonly key?: string;
  /** Replaces the client's own key; null for none. */
  readonly token?: string | null;
  readonly on?: AccountId;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  readonly name: string;
  readonly account: AccountId;
  call(call: Call): Promise<Exchange>;
}

export interface Identity {
  readonly name: string;
  readonly account: AccountId;
  readonly token: string;
}

/** A customer's program. It knows the base address and its key, and records every request and answer. */
export function createClient(baseUrl: string, history: History, { name, account, token }: Identity): Client {
  const agent = new Agent({ connections: 8, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  return {
    name,
    account,
    call: async (call) => {
      const { target, body } = call;
      const id = randomUUID();
      const [method = 'GET', path = '/'] = target.split(' ');
      const ask = async (): Promise<Answer> => {
        try {
          const reply = await request(new URL(path, baseUrl), {
            dispatcher: agent,
            method,
            headers: headersOf(id, call, token),
            body: body === undefined ? null : JSON.stringify(body),
            signal: AbortSignal.timeout(PATIENCE_MS),
          });
          return answerOf(reply.statusCode, reply.headers, await reply.body.text());
        } catch (error) {
          return { kind: 'unknown', why: String(error) };
        }
      };
      const { token: _, headers: __, ...asked } = call;
      const exchange = await history.record({ id, actor: name, account, ...asked }, ask);
      if (exchange.answer.kind === 'unknown') await delay(PAUSE_MS);
      return exchange;
    },
  };
}

function headersOf(id: string, { body, key, on, token, headers }: Call, own: string): Record<string, string> {
  return {
    ...headers,
    'x-request-id': id,
    ...(token !== null && { authorization: `Bearer ${token ?? own}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(on !== undefined && { 'x-service-account': on }),
  };
}

function answerOf(status: number, given: Readonly<Record<string, unknown>>, text: string): Answer {
  if (status >= 500 && !failures.some((slug) => text.includes(`/${slug}"`)))
    return { kind: 'unknown', why: `status ${status}`, status, text };
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const kind = status < 300 ? 'done' : status < 500 ? 'refused' : 'failed';
  return { kind, status, headers, text };
}
