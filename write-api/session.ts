import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../commands/engine/context.ts';
import type { KeyedWork } from '../commands/receipt/index.ts';
import type { OwnedSession, SessionCommands } from '../commands/session/index.ts';
import type { OperationInput } from '../contracts/fleet/operations.ts';
import { toId, type SessionId } from '../contracts/ids.ts';
import type { Operation } from '../contracts/operations.ts';
import type { CreateSession, Session } from '../contracts/resources/session.ts';
import { onFound, type Handlers } from '../infra/http/index.ts';
import { at, type Answering } from './engine/handling.ts';
import type { Idempotently } from './engine/idempotency.ts';
import { assertSound, type AddressRules } from './session-operation-bodies.ts';
import { duringOutage } from './engine/outage.ts';

export interface SessionHandlerOptions {
  readonly sessions: SessionCommands;
  readonly idempotently: Idempotently;
  readonly answering: Answering;
  readonly addresses: AddressRules;
}

type SessionHandlers = Pick<
  Handlers<'write', Caller>,
  Extract<keyof Handlers<'write', Caller>, `sessions.${string}`>
>;

/** The routes that create, drive and end sessions. */
export function sessionHandlers({
  sessions,
  idempotently,
  answering,
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
      run: answering((call) => idempotently('sessions.create', call, creation(sessions, call))),
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

const creation = (
  sessions: SessionCommands,
  { caller, body }: { readonly caller: Caller; readonly body: CreateSession },
): KeyedWork<SessionId, Session> => ({
  newId: () => toId('session', uuidv7()),
  run: async (id) => {
    const { session, position } = await sessions.create(caller, id, body);
    return { body: session, position };
  },
  outcome: sessions.describe,
  withdraw: (id) => sessions.withdraw(caller, id),
});
