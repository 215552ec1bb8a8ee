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

  it('keep what a change leaves out', () => {
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

  it('let the account go as far as staff has raised its cap', () => {
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

describe('what is spent on the bundled model', () => {
  const month = '2026-01';
  const { BundledLlmSpent } = eventBuilders<BundledSpendEvent>({
    BundledLlmSpent: { accountId, month, turnId: 'one', cents: 10, totalCents: 10, at },
  });
  const { RecordSpend } = commandBuilders<BundledSpendCommand>({
    RecordSpend: { accountId, month, turnId: 'one', cents: 10, at },
  });
  const { given } = deciderSpec(bundledSpend);

  it('adds up over the turns of a month', () => {
    given().when(RecordSpend()).then(BundledLlmSpent());
    given(BundledLlmSpent())
      .when(RecordSpend({ turnId: 'two', cents: 7 }))
      .then(BundledLlmSpent({ turnId: 'two', cents: 7, totalCents: 17 }));
  });

  it('counts a turn once, also when others came after it', () => {
    const two = BundledLlmSpent({ turnId: 'two', totalCents: 20 });
    given(BundledLlmSpent(), two).when(RecordSpend()).nothing();
    given(BundledLlmSpent(), two)
      .when(RecordSpend({ cents: 99 }))
      .nothing();
  });

  it('takes any text for the id of a turn', () => {
    for (const turnId of ['__proto__', 'constructor']) {
      given().when(RecordSpend({ turnId })).then(BundledLlmSpent({ turnId }));
      given(BundledLlmSpent({ turnId })).when(RecordSpend({ turnId })).nothing();
    }
  });
});
