import { uuidOf, type AccountId, type NodeId, type SessionId } from '../../contracts/ids.ts';
import type { Report } from '../../contracts/fleet/protocol.ts';
import type { Operation } from '../../contracts/operations.ts';
import type { CreateSession } from '../../contracts/resources/session.ts';
import { session } from '../../domain/session/session.ts';
import type { Caller, CommandContext } from '../engine/context.ts';
import { createSession } from './create.ts';
import { creationResult } from './creation-result.ts';
import * as end from './end.ts';
import { findSession, type OwnedSession } from './find.ts';
import { operate, type OperationInput } from './operate.ts';
import type { SessionPorts } from './ports.ts';
import { cleanUp, releaseOrphanedSlot, withdraw } from './slots.ts';

/**
 * Everything that happens to sessions, by who causes it. Refusals are thrown as `Refusal`; a position is that of the
 * last event of the session, for `X-Service-Position`, and is undefined when nothing was left to do.
 */
export const createSessionCommands = (ports: SessionPorts) => ({
  /** Throws `not-found` for what is missing, foreign or no session id. */
  find: (caller: Caller, id: string) => findSession(ports, caller, id),
  /** `sessionId` is fixed by whoever admits the request, so that a retry can ask `describe` what became of it. */
  create: (caller: Caller, sessionId: SessionId, body: CreateSession) =>
    createSession(ports, caller, sessionId, body),
  describe: async (sessionId: SessionId) =>
    creationResult((await ports.runner.load(session, uuidOf(sessionId))).state),
  /** Has a creation that `describe` finds absent stay absent, unless it came in between. */
  withdraw: ({ accountId, context }: Caller, sessionId: SessionId) =>
    withdraw(ports, accountId, sessionId, context),
  operate: (caller: Caller, owned: OwnedSession, operation: Operation, input: OperationInput) =>
    operate(ports, caller, owned, operation, input),
  destroy: (caller: Caller, owned: OwnedSession) => end.destroySession(ports, caller, owned),

  takeReport: (nodeId: NodeId, report: Report) => end.takeReport(ports, nodeId, report),
  sessionsToDestroy: (nodeId: NodeId, sessions: readonly SessionId[]) =>
    end.sessionsToDestroy(ports, nodeId, sessions),

  expireCreationLease: (sessionId: SessionId, context: CommandContext) =>
    end.expireCreationLease(ports, sessionId, context),
  enforceDurationCap: (sessionId: SessionId, context: CommandContext) =>
    end.enforceDurationCap(ports, sessionId, context),
  releaseOrphanedSlot: (accountId: AccountId, sessionId: SessionId, context: CommandContext) =>
    releaseOrphanedSlot(ports, accountId, sessionId, context),
  markNodeLost: (sessionId: SessionId, nodeId: NodeId, context: CommandContext) =>
    end.markNodeLost(ports, sessionId, nodeId, context),

  /** Ends every session of a suspended account. */
  endForSuspension: (accountId: AccountId, context: CommandContext) =>
    end.endForSuspension(ports, accountId, context),
  /** Ends one session of a suspended account. */
  endSuspended: (sessionId: SessionId, context: CommandContext) =>
    end.endSuspended(ports, sessionId, context),
  /** Frees the slot and closes the browser of a session that has ended; does nothing for one that has not. */
  cleanUp: async (sessionId: SessionId, context: CommandContext): Promise<void> => {
    const { state } = await ports.runner.load(session, uuidOf(sessionId));
    if (state.status === 'destroyed' || state.status === 'errored') await cleanUp(ports, state, context);
  },
});

export type SessionCommands = ReturnType<typeof createSessionCommands>;
export { defaultSessionLimits, type SessionLimits, type SessionPorts } from './ports.ts';
export type { Created } from './create.ts';
export type { Operated, OperationInput } from './operate.ts';
export type { OwnedSession } from './find.ts';
