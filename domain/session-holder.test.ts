import type { SessionHolderEvent } from '../contracts/events/session-holder.ts';
import { toId } from '../contracts/ids.ts';
import { sessionHolder, type SessionHolderCommand } from './session-holder.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-00000000000${n}`;
const agentSessionId = toId('agentSession', uuid(1));
const other = toId('agentSession', uuid(2));
const of = { sessionId: toId('session', uuid(3)), agentSessionId, accountId: toId('account', uuid(4)) };
const at = '2026-01-05T12:00:00.000Z';

const events = eventBuilders<SessionHolderEvent>({
  SessionHeld: { ...of, spawned: false, at },
  SessionLetGo: { ...of, at },
});
const commands = commandBuilders<SessionHolderCommand>({
  HoldSession: { ...of, spawned: false, at },
  LetGoOfSession: { agentSessionId, at },
});
const { given } = deciderSpec(sessionHolder);

describe('the holder of a driver session', () => {
  it('is the first agent session that asks', () => {
    given().when(commands.HoldSession()).then(events.SessionHeld());
    given(events.SessionHeld()).when(commands.HoldSession()).nothing();
  });
  it('is named in the refusal of all others', () => {
    given(events.SessionHeld())
      .when(commands.HoldSession({ agentSessionId: other }))
      .refused('conflict', { agent_session_id: agentSessionId });
  });
  it('releases it for the next one', () => {
    given(events.SessionHeld()).when(commands.LetGoOfSession()).then(events.SessionLetGo());
    given(events.SessionHeld(), events.SessionLetGo())
      .when(commands.HoldSession({ agentSessionId: other }))
      .then(events.SessionHeld({ agentSessionId: other }));
  });
  it('is not released by an agent session that does not hold it', () => {
    given(events.SessionHeld())
      .when(commands.LetGoOfSession({ agentSessionId: other }))
      .nothing();
    given().when(commands.LetGoOfSession()).nothing();
    given(events.SessionHeld(), events.SessionLetGo()).when(commands.LetGoOfSession()).nothing();
  });
});
