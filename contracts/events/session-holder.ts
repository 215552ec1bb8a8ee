import { Type, Timestamp, closed } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

const of = {
  sessionId: idSchema('session'),
  agentSessionId: idSchema('agentSession'),
  accountId: idSchema('account'),
  at: Timestamp,
};

/** `session_holder-<session uuid>`: the agent session that holds a driver session, at most one at any time. */
export const sessionHolderEvents = category('session_holder', {
  /** `spawned`: the agent session started the driver session, and ends it. */
  SessionHeld: closed({ ...of, spawned: Type.Boolean() }),
  SessionLetGo: closed(of),
});
export type SessionHolderEvent = EventOf<typeof sessionHolderEvents>;
