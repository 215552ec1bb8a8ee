import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, otherParticipant } from './testing.ts';

const { given } = deciderSpec(agentSession);
const manual = events.AgentSessionCreated({ mode: 'manual' });
const touched = [manual, events.ScreenTakenOver()] as const;
const other = { participant: otherParticipant };

describe('the person who touches the browser in manual mode', () => {
  it('is recorded at the first touch, and at no further one', () => {
    given(manual).when(commands.TakeOverScreen()).then(events.ScreenTakenOver());
    given(...touched)
      .when(commands.TakeOverScreen())
      .nothing();
  });
  it('is recorded at each change', () => {
    given(...touched)
      .when(commands.TakeOverScreen(other))
      .then(events.ScreenTakenOver(other));
    given(...touched, events.ScreenTakenOver(other))
      .when(commands.TakeOverScreen())
      .then(events.ScreenTakenOver());
  });
  it('is recorded again after the agent, or a pause', () => {
    const byAgent = events.ModeChanged({ from: 'manual', mode: 'ai', epoch: 2 });
    const byHand = events.ModeChanged({ epoch: 3 });
    given(...touched, byAgent, byHand)
      .when(commands.TakeOverScreen())
      .then(events.ScreenTakenOver());
    given(...touched, events.AgentSessionPaused(), events.AgentSessionResumed())
      .when(commands.TakeOverScreen())
      .then(events.ScreenTakenOver());
  });
  it('is recorded if the mode was changed right after the touch, and not once the session is closed', () => {
    given(manual, events.ModeChanged({ from: 'manual', mode: 'ai' }))
      .when(commands.TakeOverScreen())
      .then(events.ScreenTakenOver());
    given(manual, events.AgentSessionClosed()).when(commands.TakeOverScreen()).nothing();
    given().when(commands.TakeOverScreen()).refused('not-found');
  });
});
