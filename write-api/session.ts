import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../commands/engine/context.ts';
import { withReceipt, type Answer, type ReceiptPorts, type StoredAnswer } from '../commands/receipt/index.ts';
import type { OwnedSession, SessionCommands } from '../commands/session/index.ts';
import type { OperationInput } from '../contracts/fleet/operations.ts';
import { toId, type SessionId } from '../contracts/ids.ts';
import type { Operation } from '../contracts/operations.ts';
import type { Refusal } from '../contracts/problems.ts';
import type { CreateSession, Session } from '../contracts/resources/session.ts';
import { onFound, type Handlers, type Reply, type RequestFacts } from '../infra/http/index.ts';
import { problemBody } from '../infra/http/problem.ts';
import { at, type Answering } from './engine/handling.ts';
import { assertSound, type AddressRules } from './session-operation-bodies.ts';
import { duringOutage } from './engine/outage.ts';

export interface SessionHandlerOptions {
  readonly sessions: SessionCommands;
  readonly receipts: ReceiptPorts;
  readonly answering: Answering;
  readonly errorsBase: string;
  readonly addresses: AddressRules;
}

type SessionHandlers = Pick<
  Handlers<'write', Caller>,
  Extract<keyof Handlers<'write', Caller>, `sessions.${string}`>
>;

/** The routes that create, drive and end sessions. */
export function sessionHandlers({
  sessions,
  receipts,
  answering,
  errorsBase,
  addresses,
}: SessionHandlerOptions): SessionHandlers {
  const exists = duringOutage((caller: Caller, { id }: { readonly id: string }) => sessions.find(caller, id));
  const operate = <O extends Operation>(operation: O) => ({
    exists,
    run: answering(async ({ caller, found, body }: OperateCall<O>) => {
      assertSound(operation, body, addresses);
      const { result, position } = await sessions.operate(caller, found, operation, body ?? {});
      return { body: result, ...at(position) };
    }),
  });

  return {
    'sessions.create': {
      run: answering(({ caller, body, request }) =>
        request.idempotencyKey === null
          ? create(sessions, caller, body)
          : createOnce({ sessions, receipts, errorsBase }, caller, body, request, request.idempotencyKey),
      ),
    },
    'sessions.navigate': onFound(operate('navigate')),
    'sessions.interact': onFound(operate('interact')),
    'sessions.wait': onFound(operate('wait')),
    'sessions.capture': onFound(operate('capture')),
    'sessions.extract': onFound(operate('extract')),
    'sessions.search': onFound(operate('search')),
    'sessions.login': onFound(operate('login')),
    'sessions.state': onFound(operate('state_capture')),
    'sessions.destroy': onFound({
      exists,
      run: answering(async ({ caller, found }) => at((await sessions.destroy(caller, found)).position)),
    }),
  };
}

interface OperateCall<O extends Operation> {
  readonly caller: Caller;
  readonly found: OwnedSession;
  /** Undefined where the route takes none. */
  readonly body: OperationInput<O>;
}

const newSessionId = (): SessionId => toId('session', uuidv7());

async function create(sessions: SessionCommands, caller: Caller, body: CreateSession): Promise<Reply> {
  const { session, position } = await sessions.create(caller, newSessionId(), body);
  return { body: session, ...at(position) };
}

/** Create under an `Idempotency-Key`: whatever was answered first is answered again, byte for byte. */
async function createOnce(
  { sessions, receipts, errorsBase }: Pick<SessionHandlerOptions, 'sessions' | 'receipts' | 'errorsBase'>,
  caller: Caller,
  body: CreateSession,
  request: RequestFacts,
  key: string,
): Promise<Reply> {
  const refused = answerTo({ errorsBase, requestId: request.id });
  const answer = await withReceipt<SessionId>(
    receipts,
    { caller, route: 'sessions.create', key, body },
    {
      newId: newSessionId,
      refused,
      async run(id): Promise<Answer> {
        const { session, position } = await sessions.create(caller, id, body);
        return { ...created(session), position };
      },
      withdraw: (id) => sessions.withdraw(caller, id),
      async outcome(id) {
        const result = await sessions.describe(id);
        switch (result.kind) {
          case 'created':
            return created(result.body);
          case 'refused':
            return refused(result.refusal);
          case 'creating':
            return 'pending';
          case 'absent':
            return 'absent';
        }
      },
    },
  );
  const { status, contentType, position, replayed } = answer;
  const headers = { 'Content-Type': contentType, ...(replayed && { 'Idempotency-Replayed': 'true' }) };
  return { status, headers, body: answer.body, ...at(position) };
}

const answerTo =
  (about: { readonly errorsBase: string; readonly requestId: string }) =>
  (refusal: Refusal): StoredAnswer => {
    const problem = problemBody(refusal, about);
    return { status: problem.status, contentType: 'application/problem+json', body: JSON.stringify(problem) };
  };

const created = (session: Session): StoredAnswer => ({
  status: 201,
  contentType: 'application/json',
  body: JSON.stringify(session),
});
