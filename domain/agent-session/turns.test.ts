import { expect } from 'chai';
import { events, otherTurn, turnId, usage, uuid } from './testing.ts';
import { roundsOf, turnsOf } from './turns.ts';

const created = events.AgentSessionCreated();
const until = '2026-01-05T12:00:09.000Z';

describe('the turns of an agent session, for an operator', () => {
  it('list the decision, the executed steps and the cost, summed over all calls of the model', () => {
    const turns = turnsOf([
      ...[created, events.TurnAdmitted(), events.TurnDecomposed()],
      ...[events.IntentSettled(), events.IntentSettled({ index: 1, outcome: 'failure' })],
      events.TurnReadBack({ usage: { ...usage, costCents: null } }),
      events.TurnSettled({ at: until }),
    ]);
    expect(turns).to.deep.equal([
      {
        ...{ turnId, lane: 'ai', admittedAt: created.data.at, endedAt: until, end: 'settled' },
        ...{ answer: 'plan-executed', decomposerKind: 'own_key', rounds: 1, limit: null },
        ...{ intents: 2, succeeded: 1 },
        ...{ tokens: 200, costCents: 1 },
      },
    ]);
  });

  it('sum their rounds, and show the reason why no further one followed', () => {
    const [turn] = turnsOf([
      ...[created, events.TurnAdmitted(), events.TurnDecomposed({ intents: 1, after: 'look' })],
      ...[events.IntentSettled(), events.TurnDecomposed({ round: 2, after: 'look' })],
      ...[events.IntentSettled({ index: 1 }), events.IntentSettled({ index: 2 })],
      events.TurnSettled({ ok: false, limit: 'circles' }),
    ]);
    expect(turn).to.include({ rounds: 2, intents: 3, succeeded: 3, tokens: 200, limit: 'circles' });
  });

  const ends = [
    [events.TurnSettled({ kind: 'clarify' }), 'settled', 'clarify'],
    [events.TurnFailed(), 'failed', 'byok-llm-required'],
    [events.TurnSuperseded(), 'superseded', 'takeover'],
    [events.TurnAbandoned(), 'abandoned', null],
  ] as const;
  for (const [event, end, answer] of ends) {
    it(`show the answer of one that was ${end}`, () => {
      const [turn] = turnsOf([created, events.TurnAdmitted(), event]);
      expect(turn).to.include({ end, answer, endedAt: event.data.at, decomposerKind: null, intents: 0 });
    });
  }

  it('include notes in manual mode, which end at once', () => {
    const [turn] = turnsOf([created, events.MessageLogged()]);
    expect(turn).to.include({ lane: 'manual', end: 'logged', answer: 'logged-manual', tokens: 0 });
    expect(turn?.endedAt).to.equal(turn?.admittedAt);
  });

  it('have no end while they run', () => {
    const [turn] = turnsOf([created, events.TurnAdmitted(), events.TurnDecomposed()]);
    expect(turn).to.include({ end: null, endedAt: null, answer: null, intents: 2, succeeded: 0 });
  });

  it('are listed oldest first, each with its own events', () => {
    const third = uuid(7);
    const turns = turnsOf([
      ...[created, events.TurnAdmitted(), events.TurnFailed()],
      ...[events.ModeChanged(), events.MessageLogged({ turnId: otherTurn })],
      ...[events.ModeChanged({ from: 'manual', mode: 'ai' }), events.TurnAdmitted({ turnId: third })],
    ]);
    expect(turns.map((turn) => [turn.turnId, turn.end])).to.deep.equal([
      [turnId, 'failed'],
      [otherTurn, 'logged'],
      [third, null],
    ]);
    expect(turnsOf([created])).to.deep.equal([]);
  });
});

describe('the rounds of the turns of an agent session, for an operator', () => {
  it('are listed one by one with decision, outcome and cost', () => {
    const rounds = roundsOf([
      ...[created, events.TurnAdmitted(), events.TurnDecomposed({ intents: 2, after: 'look' })],
      ...[
        events.IntentSettled(),
        events.IntentSettled({ index: 1, outcome: 'failure', category: 'unknown' }),
      ],
      events.TurnDecomposed({ round: 2, decision: 'clarify', intents: 0, after: null, tokens: 7 }),
      ...[events.TurnSettled(), events.TurnAdmitted({ turnId: otherTurn })],
      events.TurnDecomposed({ turnId: otherTurn }),
    ]);
    const figures = rounds.map((each) => [each.turnId, each.round, each.decision, each.after, each.tokens]);
    expect(figures).to.deep.equal([
      [turnId, 1, 'plan', 'look', 100],
      [turnId, 2, 'clarify', null, 7],
      [otherTurn, 1, 'plan', 'done', 100],
    ]);
    expect(rounds[0]).to.deep.include({ intents: 2, succeeded: 1, failed: ['unknown'], costCents: 1 });
    expect(rounds[1]).to.deep.include({ intents: 0, succeeded: 0, failed: [] });
  });
});
