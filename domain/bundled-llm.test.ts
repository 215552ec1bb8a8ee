import { expect } from 'chai';
import type { BundledLlmEvent, BundledSpendEvent } from '../contracts/events/bundled-llm.ts';
import { toId } from '../contracts/ids.ts';
import { bundledLlm, bundledSpend, type BundledLlmCommand, type BundledSpendCommand } from './bundled-llm.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const at = '2026-01-05T12:00:00.000Z';

describe('the settings of the bundled model', () => {
  const { BundledLlmChanged, BundledLlmCeilingSet } = eventBuilders<BundledLlmEvent>({
    BundledLlmChanged: { accountId, consent: true, capCents: null, at },
    BundledLlmCeilingSet: { accountId, ceilingCents: 5000, at },
  });
  const { ChangeBundledLlm, SetBundledCeiling } = commandBuilders<BundledLlmCommand>({
    ChangeBundledLlm: { accountId, consent: undefined, capCents: undefined, defaultCents: 2000, at },
    SetBundledCeiling: { accountId, ceilingCents: 5000, at },
  });
  const { given } = deciderSpec(bundledLlm);

  it('are without consent until the account gives it', () => {
    given()
      .when(ChangeBundledLlm({ consent: true }))
      .then(BundledLlmChanged());
    given()
      .when(ChangeBundledLlm({ consent: false }))
      .nothing();
    given(BundledLlmChanged())
      .when(ChangeBundledLlm({ consent: true }))
      .nothing();
  });

  it('keep what a change omits', () => {
    given(BundledLlmChanged({ capCents: 500 }))
      .when(ChangeBundledLlm({ consent: false }))
      .then(BundledLlmChanged({ consent: false, capCents: 500 }));
    given(BundledLlmChanged()).when(ChangeBundledLlm()).nothing();
  });

  it('let the account lower its cap, and raise it again to the default', () => {
    given()
      .when(ChangeBundledLlm({ capCents: 0 }))
      .then(BundledLlmChanged({ consent: false, capCents: 0 }));
    given(BundledLlmChanged({ capCents: 0 }))
      .when(ChangeBundledLlm({ capCents: 2000 }))
      .then(BundledLlmChanged({ capCents: 2000 }));
    given()
      .when(ChangeBundledLlm({ capCents: 2001 }))
      .refused('validation-failed');
  });

  it('let the account raise its cap as far as staff has allowed', () => {
    given().when(SetBundledCeiling()).then(BundledLlmCeilingSet());
    given(BundledLlmCeilingSet()).when(SetBundledCeiling()).nothing();
    given(BundledLlmCeilingSet())
      .when(ChangeBundledLlm({ capCents: 5000 }))
      .then(BundledLlmChanged({ consent: false, capCents: 5000 }));
    given(BundledLlmCeilingSet())
      .when(ChangeBundledLlm({ capCents: 5001 }))
      .refused('validation-failed');
  });
});

describe('the spending on the bundled model', () => {
  const ofTurn = { accountId, month: '2026-01', turnId: 'one', at };
  const { BundledLlmSpent, BundledLlmReturned } = eventBuilders<BundledSpendEvent>({
    BundledLlmSpent: { ...ofTurn, cents: 10, totalCents: 10 },
    BundledLlmReturned: { ...ofTurn, cents: 10, totalCents: 0 },
  });
  const { ReserveSpend, ReturnSpend } = commandBuilders<BundledSpendCommand>({
    ReserveSpend: { ...ofTurn, cents: 10, capCents: 50 },
    ReturnSpend: ofTurn,
  });
  const { given } = deciderSpec(bundledSpend);

  it('is summed over the turns of a month', () => {
    given().when(ReserveSpend()).then(BundledLlmSpent());
    given(BundledLlmSpent())
      .when(ReserveSpend({ turnId: 'two', cents: 7 }))
      .then(BundledLlmSpent({ turnId: 'two', cents: 7, totalCents: 17 }));
  });

  it('counts a turn once, even after others', () => {
    const two = BundledLlmSpent({ turnId: 'two', totalCents: 20 });
    given(BundledLlmSpent(), two).when(ReserveSpend()).nothing();
    given(BundledLlmSpent(), two)
      .when(ReserveSpend({ cents: 99 }))
      .nothing();
  });

  it('reaches the cap exactly, and a refusal has the spent amount and the cap', () => {
    const before = BundledLlmSpent({ turnId: 'two', totalCents: 40 });
    given(before)
      .when(ReserveSpend())
      .then(BundledLlmSpent({ totalCents: 50 }));
    given(before)
      .when(ReserveSpend({ capCents: 49 }))
      .refused('bundled-llm-budget-exhausted', { spent_cents: 40, cap_cents: 49 });
  });

  it('is refunded once if a turn did not use it, and that turn is not counted again', () => {
    given(BundledLlmSpent()).when(ReturnSpend()).then(BundledLlmReturned());
    given(BundledLlmSpent(), BundledLlmReturned()).when(ReturnSpend()).nothing();
    given(BundledLlmSpent(), BundledLlmReturned()).when(ReserveSpend()).nothing();
    given().when(ReturnSpend()).nothing();
  });

  it('costs a change as much after a thousand turns as after the first, and each is counted and refunded once', () => {
    const turns = Array.from({ length: 1000 }, (_, n) => `turn ${n}`);
    const refunded = new Set(turns.filter((_, n) => n % 3 === 0));
    const counted = turns.map((turnId, n) => BundledLlmSpent({ turnId, totalCents: 10 * (n + 1) }));
    const before = [
      ...counted,
      ...[...refunded].map((turnId, n) => BundledLlmReturned({ turnId, totalCents: 10_000 - 10 * (n + 1) })),
    ];
    const state = before.reduce(bundledSpend.evolve, bundledSpend.initialState);
    expect(Object.keys(state.turns).length).to.be.below(64);
    const { totalCents } = state;
    expect(totalCents).to.equal(10 * (1000 - refunded.size));
    const decide = (command: BundledSpendCommand) => bundledSpend.decide(command, state);
    for (const turnId of turns) {
      expect(decide(ReserveSpend({ turnId, capCents: 1_000_000 }))).to.deep.equal([]);
      const back = BundledLlmReturned({ turnId, totalCents: totalCents - 10 });
      expect(decide(ReturnSpend({ turnId }))).to.deep.equal(refunded.has(turnId) ? [] : [back]);
    }
    const fresh = ReserveSpend({ turnId: 'fresh', capCents: 1_000_000 });
    expect(decide(fresh)).to.deep.equal([BundledLlmSpent({ turnId: 'fresh', totalCents: totalCents + 10 })]);
  });

  it('accepts any text as the id of a turn', () => {
    for (const turnId of ['__proto__', 'constructor']) {
      given().when(ReturnSpend({ turnId })).nothing();
      given().when(ReserveSpend({ turnId })).then(BundledLlmSpent({ turnId }));
      given(BundledLlmSpent({ turnId })).when(ReserveSpend({ turnId })).nothing();
    }
  });
});
