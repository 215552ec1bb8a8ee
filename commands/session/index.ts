import { session } from '../../domain/session/session.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import type { Caller } from '../engine/context.ts';
import { findOwned } from '../engine/find-owned.ts';
import { create, describe } from './create.ts';
import * as end from './end.ts';
import { attempt, operate } from './operate.ts';
import type { OwnedSession, SessionPorts } from './ports.ts';

export { EndedMeanwhile, type OperationInput } from './operate.ts';
export * from './ports.ts';

/** Throws `not-found` for a missing or foreign session and for an invalid id. */
async function find({ runner }: SessionPorts, { accountId }: Caller, text: string): Promise<OwnedSession> {
  const { sessionId: id } = await findOwned(runner, session, 'session', accountId, text, { cached: true });
  return { id, accountId };
}

/**
 * Commands on sessions. Throws `Refusal`; a position is that of the session's last new event, for `X-Service-Position`, and
 * undefined if nothing changed.
 */
export const createSessionCommands = (ports: SessionPorts) =>
  bindPorts(ports, { find, create, describe, attempt, operate, ...end });

export type SessionCommands = ReturnType<typeof createSessionCommands>;
