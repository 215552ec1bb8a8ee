import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { replay } from './replay.ts';
import { at, clientId, commands, events, existing, sessionId, uuid } from './testing.ts';

const { given } = deciderSpec(agentSession);
const participant = `customer-${uuid(9)}`;
const later = { participant, at: '2026-01-05T12:00:10.000Z', heartbeatDueAt: '2026-01-05T12:00:40.000Z' };
const driving = [events.AgentSessionCreated({ mode: 'pair', attached: sessionId })] as const;
const behindTurn = { queued: true, heartbeatDueAt: null };
const inTurn = [...driving, events.TurnAdmitted()] as const;
const requests = [
  ['pending', [...driving, events.TakeoverRequested()], events.TakeoverRequested({ ...later, epoch: 3 })],
  [
    'queued',
    [...inTurn, events.TakeoverRequested(behindTurn)],
    events.TakeoverRequested({ ...later, ...behindTurn, epoch: 3 }),
  ],
] as const;

describe('a client that has requested the controls without a participant', () => {
  for (const [kind, history, named] of requests) {
    it(`records the first participant that it names while its takeover is ${kind}, and no other`, () => {
      given(...history)
        .when(commands.TakeOver(later))
        .then(named);
      const other = { participant: `customer-${uuid(8)}` };
      for (const again of [{}, { participant }, other, { ...other, isPresent: true }])
        given(...history, named)
          .when(commands.TakeOver(again))
          .nothing();
      expect(replay([...history, named])).to.equal(null);
    });
    it(`has its takeover since the first request, while it is ${kind}`, () => {
      const { pair } = existing([...history, named].reduce(agentSession.evolve, agentSession.initialState));
      expect(pair).to.deep.include({ clientId, participant, since: at });
    });
  }
  it('gets the controls after it has named one', () => {
    const [, history, named] = requests[0];
    given(...history, named)
      .when(commands.GrantTakeover())
      .then(events.TakeoverGranted());
  });
  it('names none for another client, or once it drives', () => {
    const [, pending] = requests[0];
    given(...pending)
      .when(commands.TakeOver({ ...later, clientId: 'another', isPresent: true }))
      .refused('pair-mode-conflict', { winner_client_id: clientId });
    given(...pending, events.TakeoverGranted())
      .when(commands.TakeOver(later))
      .nothing();
  });
});
