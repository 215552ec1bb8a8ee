import { sessionHolderEvents, type SessionHolderEvent } from '../contracts/events/session-holder.ts';
import type { AgentSessionId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

export type SessionHolder = {
  readonly held: Pick<
    DataOf<SessionHolderEvent, 'SessionHeld'>,
    'sessionId' | 'agentSessionId' | 'accountId' | 'spawned' | 'at'
  > | null;
};

export type SessionHolderCommand = CommandsOf<{
  HoldSession: Omit<DataOf<SessionHolderEvent, 'SessionHeld'>, 'at'>;
  /** Does nothing unless this agent session holds it. */
  LetGoOfSession: { agentSessionId: AgentSessionId };
}>;

const rules: Rules<SessionHolder, SessionHolderCommand, SessionHolderEvent> = {
  HoldSession({ held }, { type: _, ...data }) {
    if (held === null) return [{ type: 'SessionHeld', data }];
    if (held.agentSessionId === data.agentSessionId) return [];
    throw refuse('conflict', 'Another agent session uses the driver session.', {
      agent_session_id: held.agentSessionId,
    });
  },
  LetGoOfSession({ held }, { agentSessionId, at }) {
    if (held?.agentSessionId !== agentSessionId) return [];
    return [
      {
        type: 'SessionLetGo',
        data: { agentSessionId, accountId: held.accountId, sessionId: held.sessionId, at },
      },
    ];
  },
};

/** The agent session that uses a driver session: acquired before the agent session is created, released after it is closed. */
export const sessionHolder: Decider<SessionHolder, SessionHolderCommand, SessionHolderEvent> = {
  category: sessionHolderEvents,
  initialState: { held: null },
  decide: decideBy(rules),
  evolve: (state, { type, data }) => ({ held: type === 'SessionHeld' ? data : null }),
};
