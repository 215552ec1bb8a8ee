import { v7 as uuidv7 } from 'uuid';
import type { AgentLive } from '../../commands/agent-session/live.ts';
import type { AgentVideo } from '../../commands/agent-session/video.ts';
import type { Caller } from '../../commands/engine/context.ts';
import type { KeyedWork } from '../../commands/receipt/index.ts';
import type { OwnedSession, SessionCommands } from '../../commands/session/index.ts';
import type { OperationInput } from '../../contracts/fleet/operations.ts';
import { toId, type SessionId } from '../../contracts/ids.ts';
import { assertJsonSize } from '../../contracts/json-size.ts';
import type { Operation } from '../../contracts/operations.ts';
import { mostMetadataBytes, type CreateSession, type Session } from '../../contracts/resources/session.ts';
import type { RouteIdOn } from '../../contracts/routes/index.ts';
import type { AddressRules } from '../../infra/outbound/address-rules.ts';
import { declared } from '../engine/declared.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';
import { assertSound } from './session-operation-bodies.ts';

type SessionRoutes = Extract<RouteIdOn<'write'>, `sessions.${string}`>;

/** The routes that create, drive and end sessions. */
export function sessionHandlers(
  sessions: SessionCommands,
  addresses: AddressRules,
  { answering, answeringOn }: Handling,
  idempotently: Idempotently,
  shown: Pick<AgentVideo, 'sessionVideoToken'> & Pick<AgentLive, 'observe'>,
): HandlersOf<SessionRoutes> {
  const onSession = answeringOn((caller, id) => sessions.find(caller, id));
  const operate =
    <O extends Operation>(operation: O) =>
    async ({ caller, found, body }: OperateCall<O>) => {
      assertSound(operation, body, addresses);
      // Nodes understand more than requests may contain.
      const input = declared(`sessions.${operation}`, body);
      const { result, position } = await sessions.operate(caller, found, operation, input);
      return { body: result, position };
    };

  return {
    'sessions.create': answering((call) => {
      assertJsonSize('/body/metadata', call.body.metadata ?? {}, mostMetadataBytes);
      return idempotently('sessions.create', call, creation(sessions, call));
    }),
    'sessions.video-token': onSession(async ({ caller, found }) => ({
      body: await shown.sessionVideoToken(found, caller),
    })),
    'sessions.observe': onSession(async ({ found, query }) => ({
      body: await shown.observe(found, query.picture === 'true'),
    })),
    'sessions.navigate': onSession(operate('navigate')),
    'sessions.interact': onSession(operate('interact')),
    'sessions.wait': onSession(operate('wait')),
    'sessions.capture': onSession(operate('capture')),
    'sessions.extract': onSession(operate('extract')),
    'sessions.search': onSession(operate('search')),
    'sessions.login': onSession(operate('login')),
    'sessions.state': onSession(operate('state_capture')),
    'sessions.destroy': onSession(async ({ caller, found }) => ({
      position: (await sessions.destroy(caller, found)).position,
    })),
  };
}

interface OperateCall<O extends Operation> {
  readonly caller: Caller;
  readonly found: OwnedSession;
  /** Undefined if the route takes none. */
  readonly body: OperationInput<O>;
}

/** The work of a creation under an `Idempotency-Key`. */
export const creation = (
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
