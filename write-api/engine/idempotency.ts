import type { Caller } from '../../commands/engine/context.ts';
import {
  withReceipt,
  type KeyedWork,
  type ReceiptPorts,
  type Settled,
  type StoredAnswer,
} from '../../commands/receipt/index.ts';
import { routes } from '../../contracts/routes/index.ts';
import type { Reply, RequestFacts } from '../../infra/http/index.ts';
import { problemBody, retryAfter } from '../../infra/http/problem.ts';
import { declared } from './declared.ts';

/** Routes with an `Idempotency-Key` in the table. */
type KeyedRoute = Extract<(typeof routes)[number], { idempotencyKey: true }>['id'];

interface KeyedCall {
  readonly caller: Caller;
  readonly body: object;
  readonly request: RequestFacts;
  /** What another request under the key must have in common with the first; default: the declared fields of the body. */
  readonly identity?: object;
}

/** Runs one call of a keyed route and returns its reply. */
export type Idempotently = <Id extends string, Body>(
  route: KeyedRoute,
  call: KeyedCall,
  work: KeyedWork<Id, Body>,
) => Promise<Reply>;

/** With an `Idempotency-Key` the first answer is replayed byte for byte; without one, each call is new. */
export const idempotently =
  (receipts: ReceiptPorts, errorsBase: string): Idempotently =>
  async (route, { caller, body, request, identity }, work) => {
    const { id: requestId, idempotencyKey: key } = request;
    if (key === null) {
      const id = work.newId();
      await work.admit?.(id);
      const made = await work.run(id);
      return { body: made.body, position: made.position };
    }
    const toAnswer = answerOf(successOf(route), { errorsBase, requestId });
    const compared =
      identity === undefined ? { body: declared(route, body), wholeBody: body } : { body: identity };
    const answer = await withReceipt(receipts, { caller, route, key, ...compared }, work, toAnswer);
    const { status, contentType, position, replayed } = answer;
    const headers = {
      'Content-Type': contentType,
      ...waitOf(answer),
      ...(replayed && { 'Idempotency-Replayed': 'true' }),
    };
    return { status, headers, body: answer.body, position };
  };

const problemType = 'application/problem+json';

/** `Retry-After` of a replayed answer. Derived from the body, because headers are not stored. */
function waitOf({ contentType, body }: Pick<StoredAnswer, 'contentType' | 'body'>): Record<string, string> {
  if (contentType !== problemType) return {};
  const problem = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return retryAfter(String(problem.type).split('/').at(-1) ?? '', problem);
}

const answerOf =
  (success: number, about: Parameters<typeof problemBody>[1]) =>
  (settled: Settled<unknown>): StoredAnswer => {
    if (settled.kind === 'created')
      return { status: success, contentType: 'application/json', body: JSON.stringify(settled.body) };
    const problem = problemBody(settled.refusal, about);
    return { status: problem.status, contentType: problemType, body: JSON.stringify(problem) };
  };

const successes = new Map<string, number>(routes.map(({ id, success }) => [id, success.status]));
const successOf = (route: KeyedRoute): number => successes.get(route) ?? 200;
