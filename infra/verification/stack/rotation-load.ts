import { setTimeout as delay } from 'node:timers/promises';
import { caller, type Answer } from '../../http/testing.ts';
import type { TestStack } from '../testbed/index.ts';

/** A customer's credentials: an API key, and a signed-in person. */
export interface Customer {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly profileId: string;
}

type Call = (target: string, options?: { token?: string | null; body?: object }) => Promise<Answer>;

/** Each runs one task of a customer, and returns what was wrong. */
type Errand = (call: Call, customer: Customer) => Promise<readonly string[]>;

const unless = (status: number, answer: Answer, what: string): readonly string[] =>
  answer.status === status ? [] : [`${what}: ${answer.status} ${answer.text.slice(0, 300)}`];

const errands: readonly Errand[] = [
  async (call, { token }) => {
    const first = await call('GET /v1/sessions?limit=1', { token });
    const { next_cursor: cursor } = first.json;
    const next = await call(`GET /v1/sessions?limit=1&cursor=${String(cursor)}`, { token });
    return [...unless(200, first, 'a page'), ...unless(200, next, 'its next page')];
  },
  async (call, { token }) => {
    const key = await call('POST /v1/api-keys', {
      token,
      body: { name: 'made under load', scopes: ['read'] },
    });
    const used = await call('GET /v1/sessions?limit=1', { token: String(key.json.key) });
    const revoked = await call(`DELETE /v1/api-keys/${String(key.json.id)}`, { token });
    return [
      ...unless(201, key, 'a key'),
      ...unless(200, used, 'its use'),
      ...unless(204, revoked, 'its end'),
    ];
  },
  async (call, { token, profileId }) => {
    const body = { label: 'under load', profile_id: profileId };
    const created = await call('POST /v1/sessions', { token, body });
    const ended = await call(`DELETE /v1/sessions/${String(created.json.id)}`, { token });
    return [...unless(201, created, 'a session'), ...unless(204, ended, 'its end')];
  },
  async (call, { email, password }) => {
    const signedIn = await call('POST /v1/auth/login', { token: null, body: { email, password } });
    const body = { refresh_token: signedIn.json.refresh_token };
    const refreshed = await call('POST /v1/auth/refresh', { token: null, body });
    const read = await call('GET /v1/account/rate-limits', { token: String(refreshed.json.access_token) });
    return [
      ...unless(200, signedIn, 'a sign-in'),
      ...unless(200, refreshed, 'its refresh'),
      ...unless(200, read, 'the account'),
    ];
  },
];

export const callerOf = (stack: TestStack): Call => caller(Number(new URL(stack.baseUrl).port));

/** Milliseconds between two tasks: the test is that none fails at any moment, not how many there are. */
const PAUSE_MS = 50;

/** Runs the customer's tasks over and over, until it is stopped. */
export function startLoad(stack: TestStack, customer: Customer) {
  const call = callerOf(stack);
  const wrong: string[] = [];
  let isStopped = false;
  let done = 0;
  const repeat = async (errand: Errand): Promise<void> => {
    while (!isStopped) {
      wrong.push(...(await errand(call, customer)));
      done += 1;
      await delay(PAUSE_MS);
    }
  };
  const running = Promise.all(errands.map(repeat));
  return {
    /** Number of completed tasks, and what was wrong. */
    async stop() {
      isStopped = true;
      await running;
      return { done, wrong };
    },
  };
}
