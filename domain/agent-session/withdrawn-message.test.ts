import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, existing, otherTurn, turnId, uuid } from './testing.ts';
import { turnsOf } from './turns.ts';

const { given } = deciderSpec(agentSession);

const created = events.AgentSessionCreated();
const withdrawn = events.MessageWithdrawn();

describe('a message whose idempotency key is given to another request', () => {
  it('is withdrawn, once', () => {
    given(created).when(commands.WithdrawMessage()).then(withdrawn);
    given(created, events.AgentSessionPaused()).when(commands.WithdrawMessage()).then(withdrawn);
    given(created, withdrawn).when(commands.WithdrawMessage()).nothing();
  });
  it('is not admitted later, in any mode and whatever was admitted meanwhile', () => {
    const other = [events.TurnAdmitted({ turnId: otherTurn }), events.TurnSettled({ turnId: otherTurn })];
    given(created, withdrawn).when(commands.AdmitMessage()).refused('conflict');
    given(created, withdrawn, ...other)
      .when(commands.AdmitMessage())
      .refused('conflict');
    given(events.AgentSessionCreated({ mode: 'manual' }), withdrawn)
      .when(commands.AdmitMessage())
      .refused('conflict');
  });
  it('is not withdrawn if it was admitted or logged, or can no longer be because the session is closed', () => {
    const admitted = [created, events.TurnAdmitted()] as const;
    given(...admitted)
      .when(commands.WithdrawMessage())
      .nothing();
    given(...admitted, events.TurnSettled())
      .when(commands.WithdrawMessage())
      .nothing();
    given(events.AgentSessionCreated({ mode: 'manual' }), events.MessageLogged())
      .when(commands.WithdrawMessage())
      .nothing();
    given(created, events.AgentSessionClosed()).when(commands.WithdrawMessage()).nothing();
    given().when(commands.WithdrawMessage()).refused('not-found');
  });
  it('leaves other messages alone, and is no turn', () => {
    given(created, withdrawn)
      .when(commands.AdmitMessage({ turnId: otherTurn }))
      .then(events.TurnAdmitted({ turnId: otherTurn }));
    expect(turnsOf([created, withdrawn])).to.deep.equal([]);
  });
  it('is remembered beside nineteen more', () => {
    const more = Array.from({ length: 20 }, (_, n) => events.MessageWithdrawn({ turnId: uuid(100 + n) }));
    given(created, withdrawn, ...more.slice(1))
      .when(commands.AdmitMessage())
      .refused('conflict');
    const state = [created, withdrawn, ...more].reduce(agentSession.evolve, agentSession.initialState);
    expect(existing(state).withdrawnTurnIds).to.have.length(20).and.not.include(turnId);
  });
});
