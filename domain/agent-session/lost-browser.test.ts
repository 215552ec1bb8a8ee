import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, existing, failure, sessionId } from './testing.ts';

const { given } = deciderSpec(agentSession);
const created = events.AgentSessionCreated();
const attached = events.AgentSessionCreated({ attached: sessionId });
const spawned = [created, events.DriverSessionSpawned()] as const;

describe('a driver session that ends by request', () => {
  const [before, later] = ['2026-01-05T11:59:59.999Z', '2026-01-05T12:00:01.000Z'];
  const ended = events.ErrorRaised({
    ...{ code: 'driver_session_ended', summary: 'The driver session has ended.' },
    ...{ customerActionable: true, retryable: false },
  });
  const inTurn = [created, events.TurnAdmitted(), events.DriverSessionSpawned()] as const;
  const lost = commands.LoseDriverSession({ endedAt: later });

  it('leaves an error if it ends during a turn, once', () => {
    given(...inTurn)
      .when(lost)
      .then(events.DriverSessionLost(), ended);
    given(...inTurn, events.DriverSessionLost(), ended)
      .when(lost)
      .nothing();
  });
  it('leaves none without a turn', () => {
    given(...inTurn, events.TurnSettled())
      .when(lost)
      .then(events.DriverSessionLost());
  });
  it('leaves none if it ended before the turn, which starts another one, unless it was attached', () => {
    const ofOldTurn = commands.LoseDriverSession({ endedAt: before });
    given(...spawned, events.TurnAdmitted())
      .when(ofOldTurn)
      .then(events.DriverSessionLost());
    given(attached, events.TurnAdmitted()).when(ofOldTurn).then(events.DriverSessionLost(), ended);
  });
  it('leaves the failure that ended it, during a turn too', () => {
    given(...inTurn)
      .when(commands.LoseDriverSession({ failure, endedAt: later }))
      .then(events.DriverSessionLost(), events.ErrorRaised());
  });
});

describe('the driver session of a closed agent session', () => {
  const closed = [...spawned, events.AgentSessionClosed()] as const;
  const refused = commands.LoseDriverSession({ cause: 'refused' });
  const lost = events.DriverSessionLost({ cause: 'refused' });

  it('remains named after its end', () => {
    given(...closed)
      .when(commands.LoseDriverSession({ endedAt: '2026-01-05T12:00:01.000Z' }))
      .nothing();
  });
  it('is lost if it was never started, once', () => {
    given(...closed)
      .when(refused)
      .then(lost);
    given(...closed)
      .when(refused)
      .leaves((state) => {
        const { status, browser } = existing(state);
        expect([status, browser]).to.deep.equal(['closed', null]);
      });
    given(...closed, lost)
      .when(refused)
      .nothing();
  });
  it('leaves no error, also if a turn was to start it', () => {
    given(created, events.TurnAdmitted(), events.DriverSessionSpawned(), events.AgentSessionClosed())
      .when(refused)
      .then(lost);
  });
});
