import { expect } from 'chai';
import type { SessionId } from '../../../contracts/ids.ts';
import type { Session } from '../../../contracts/resources/session.ts';
import { caller, type Answer } from '../../http/testing.ts';
import type { NewAccount, TestStack } from '../testbed/index.ts';

/** An operation that runs until its session ends, and one that ends at once. */
export const pause = { condition: { kind: 'delay', ms: 60_000 }, timeout_ms: 120_000 };
export const glance = { condition: { kind: 'delay', ms: 0 } };

export interface Client {
  readonly account: NewAccount;
  call(target: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The status of `POST …/wait`, or `broken` if the connection was. */
  wait(id: SessionId, body?: object): Promise<number | 'broken'>;
  create(): Promise<SessionId>;
  listed(): Promise<readonly Session[]>;
  statusOf(id: SessionId): Promise<unknown>;
}

type Tier = Parameters<TestStack['account']>[0];

/** A client of the running service, with the key of a new account. */
export async function newClient(stack: TestStack, tier: Tier = 'api_scale'): Promise<Client> {
  return connect(stack, await stack.account(tier));
}

/** A client of an existing account, on a stack that may have restarted at another address. */
export function connect(stack: Pick<TestStack, 'baseUrl'>, account: NewAccount): Client {
  const send = caller(Number(new URL(stack.baseUrl).port));
  const call: Client['call'] = (target, body, headers = {}) =>
    send(target, { token: account.api_key, headers, ...(body === undefined ? {} : { body }) });
  const ok = async (status: number, ...request: Parameters<Client['call']>): Promise<unknown> => {
    const answer = await call(...request);
    expect(answer.status, answer.text).to.equal(status);
    return JSON.parse(answer.text);
  };
  return {
    account,
    call,
    wait: (id, body = glance) => outcome(call(`POST /v1/sessions/${id}/wait`, body)),
    create: async () => ((await ok(201, 'POST /v1/sessions', {})) as Session).id,
    listed: async () => ((await ok(200, 'GET /v1/sessions')) as { data: Session[] }).data,
    statusOf: async (id) => ((await ok(200, `GET /v1/sessions/${id}`)) as Session).status,
  };
}

/** The status of an answer, or `broken` if the connection was. */
export const outcome = (answer: Promise<Answer>): Promise<number | 'broken'> =>
  answer.then(
    ({ status }) => status,
    () => 'broken',
  );
