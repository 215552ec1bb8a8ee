import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import {
  ConnectionFailed,
  Service,
  ServiceError,
  UnknownOutcome,
  type AgentMessage,
  type Fetch,
} from '../../../../contracts/client/index.ts';
import type { AccountId } from '../../../../contracts/ids.ts';
import type { Answer, Exchange, History } from '../history.ts';

/** Longer than any operation of the workload takes, its grace period included, in milliseconds. */
const CALL_TIMEOUT_MS = 20_000;

/** Milliseconds before a client's next call after an unknown outcome, or while a part is unavailable. */
const PAUSE_MS = 300;

/**
 * Problems of the browser: the operation was executed and failed, and its outcome is recorded. An error that a key
 * gets again is a recorded outcome too, such as the 503 of a turn that ended because a store was unavailable.
 */
const failures: readonly string[] = ['driver-error', 'driver-not-integrated', 'session-timeout'];

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
  /** Calls of unknown outcome by idempotency key; repeating one returns its outcome. */
  readonly open: ReadonlyMap<string, Call>;
  call(call: Call): Promise<Exchange>;
}

export interface Identity {
  readonly name: string;
  readonly account: AccountId;
  readonly token: string;
}

/** A customer's program. It knows the base address and its key, and records every call with the typed client's result. */
export function createClient(baseUrl: string, history: History, { name, account, token }: Identity): Client {
  const tries = new Map<string, number>();
  const options = { baseUrl, fetch: counting(tries), timeoutMs: CALL_TIMEOUT_MS };
  const own = new Service({ ...options, apiKey: token });
  const open = new Map<string, Call>();
  return {
    name,
    account,
    open,
    call: async (call) => {
      const id = randomUUID();
      const { token: other, headers: _, ...asked } = call;
      const accessToken = other === null ? undefined : (other ?? token);
      const isOwn = other === undefined && call.on === undefined;
      const service = isOwn ? own : new Service({ ...options, accessToken, onAccountOf: call.on });
      const ask = async (): Promise<Answer> => {
        const answer = await answerTo(service, call, id);
        return { ...answer, tries: tries.get(id) ?? 0 };
      };
      const exchange = await history.record({ id, actor: name, account, ...asked }, ask);
      tries.delete(id);
      keepOpen(open, call, exchange.answer);
      if (exchange.answer.kind === 'unknown') await delay(PAUSE_MS);
      return exchange;
    },
  };
}

/** Counts how often the client sends each request, by the id that all tries of a call have. */
function counting(tries: Map<string, number>): Fetch {
  const dispatcher = new Agent({
    connections: 8,
    headersTimeout: CALL_TIMEOUT_MS,
    bodyTimeout: CALL_TIMEOUT_MS,
  });
  return (url, init) => {
    const id = init.headers['x-request-id'] ?? '';
    tries.set(id, (tries.get(id) ?? 0) + 1);
    return fetch(url, { ...init, dispatcher });
  };
}

async function answerTo(service: Service, call: Call, id: string): Promise<Answer> {
  try {
    return await ask(service, call, id);
  } catch (error) {
    if (error instanceof ServiceError) return failureOf(error);
    throw error;
  }
}

const message = /^POST \/v1\/agent-sessions\/([^/]+)\/message$/;

/** Messages are sent by the client's method, which streams them. */
async function ask(service: Service, { target, body, key, headers }: Call, id: string): Promise<Answer> {
  const options = { headers: { ...headers, 'x-request-id': id }, idempotencyKey: key };
  const [, agent] = message.exec(target) ?? [];
  if (agent !== undefined) {
    const answer = await service.agents.message(agent, body as AgentMessage, options);
    return { kind: 'done', status: 200, headers: {}, text: JSON.stringify(answer) };
  }
  const [method = '', path = ''] = target.split(' ');
  const { data, response } = await service.request(method, path, { ...options, body }).withResponse();
  const text = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data);
  return { kind: 'done', status: response.status, headers: headersOf(response), text };
}

const headersOf = (response: ServiceError['response']): Readonly<Record<string, string>> =>
  Object.fromEntries(response?.headers ?? []);

function failureOf(error: ServiceError): Answer {
  const { status, slug, message: why, problem, response } = error;
  const answered = { status, text: JSON.stringify(problem) };
  if (error instanceof ConnectionFailed) return { kind: 'unknown', why, isUnchanged: true };
  const { idempotencyKey: openKey } = error;
  if (error instanceof UnknownOutcome || openKey !== undefined)
    return { kind: 'unknown', why, ...(status > 0 && answered), ...(openKey !== undefined && { openKey }) };
  const isStored = response?.headers.get('idempotency-replayed') === 'true';
  const isFailed = failures.includes(slug) || (isStored && status >= 500);
  if (status >= 500 && !isFailed) return { kind: 'unknown', why, ...answered, isUnchanged: true };
  return { kind: isFailed ? 'failed' : 'refused', ...answered, headers: headersOf(response) };
}

/** Refusals before the idempotency key is read say nothing about the key. */
const beforeKeys = [401, 403];

function keepOpen(open: Map<string, Call>, call: Call, answer: Answer): void {
  if (answer.kind === 'unknown') {
    const key = answer.openKey;
    if (key !== undefined) open.set(key, { ...call, key });
  } else if (call.key !== undefined && !beforeKeys.includes(answer.status)) open.delete(call.key);
}
