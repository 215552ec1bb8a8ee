import { expect } from 'chai';
import type { Observation } from '../../../contracts/resources/observation.ts';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import * as provider from '../../verification/testbed/model-provider.ts';
import type { ModelCall } from '../port.ts';
import { createAnthropicDecomposer } from './decomposer.ts';

const tap: Intent = { kind: 'interact', action: { kind: 'tap', text: 'Greet' } };

describe('the model in the rounds of a turn', () => {
  let fake: provider.TestModelProvider;
  beforeEach(async () => void (fake = await provider.startModelProvider()));
  afterEach(() => fake.close());

  const decompose = (changes: Partial<ModelCall> = {}) =>
    createAnthropicDecomposer({
      guard: createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') }),
      baseUrl: fake.url,
    }).decompose({
      ...{ model: 'claude-fable-5-2', apiKey: 'key', message: 'greet "Ada"', transcript: [], page: null },
      signal: AbortSignal.timeout(20_000),
      ...changes,
    });

  it('says whether to look again, with a note cut at its length', async () => {
    fake.replies(
      provider.usingTool({
        ...{ decision: 'plan', intents: [tap], after: 'look' },
        note: 'n'.repeat(700),
      }),
      provider.usingTool({ decision: 'plan', intents: [tap], after: 'done' }),
    );
    const plan = { decision: 'plan', intents: [tap], readBack: false };
    expect((await decompose()).plan).to.deep.equal({
      ...plan,
      ...{ after: 'look', note: 'n'.repeat(600) },
    });
    expect((await decompose()).plan).to.deep.equal(plan);
  });

  it('marks the secrets of the message with every decision', async () => {
    const secrets = ['tr0ub4dor&3'];
    const decisions = [
      { decision: 'plan', intents: [tap], after: 'look' },
      { decision: 'clarify', question: 'Which?' },
      { decision: 'refuse', reason: 'No.' },
      { decision: 'answer', answer: 'Yes.' },
    ] as const;
    for (const decision of decisions) {
      fake.replies(provider.usingTool({ ...decision, secrets }));
      expect((await decompose()).plan).to.deep.include({ decision: decision.decision, secrets });
    }
  });

  it('is required to say which words are secret; a decision that does not is taken', async () => {
    fake.replies(provider.planning([tap]), provider.usingTool({ decision: 'answer', answer: 'Yes.' }));
    expect((await decompose()).plan).not.to.have.property('secrets');
    expect((await decompose()).plan).not.to.have.property('secrets');
    expect(fake.calls).to.have.length(2);
    for (const { body } of fake.calls)
      expect(body.tools).to.have.nested.property('[0].input_schema.required').that.includes('secrets');
  });

  it('is told in whole characters, also where a text was cut within one', async () => {
    const cutAt = (length: number) => `${'a'.repeat(length - 1)}\u{1f600}`;
    const emoji = (count: number, shift: number) => `${'a'.repeat(shift)}${'\u{1f600}'.repeat(count)}`;
    const pageOf = (shift: number): Observation => ({
      ...{ url: `http://a.example/${cutAt(2000 - 'http://a.example/'.length)}`, title: cutAt(300) },
      ...{ scroll: { y: 0, height: 800, view: 800 }, headings: [cutAt(300)], dialog: cutAt(500) },
      elements: [
        {
          ...{ ref: 'e1', role: 'combobox', name: cutAt(300), value: cutAt(300), in_view: true },
          options: Array<string>(30).fill(emoji(20, 0)).with(0, emoji(20, shift)),
        },
      ],
      ...{ text: emoji(20_000, shift), cut: false },
    });
    const intent = { kind: 'scroll', direction: 'down' } as const;
    const told = {
      message: 'greet \ud83d',
      transcript: [{ role: 'user', body: cutAt(1000), at: '2026-01-01T00:00:00.000Z' }] as const,
      soFar: {
        results: [{ kind: 'success', intent, summary: cutAt(1000) }] as const,
        ...{ before: null, note: 'note \ud83d', news: [cutAt(1000)] },
      },
    };
    fake.replies(provider.usingTool({ decision: 'dance \ud83d' }));
    fake.otherwise(provider.planning([tap]));
    for (const shift of [0, 1]) await decompose({ ...told, page: pageOf(shift) });
    expect(fake.calls).to.have.length(3);
    for (const { body } of fake.calls) expect(JSON.stringify(body)).not.to.match(/\\ud[89a-f]/);
  });

  it('is given the same system part and tool in each of them', async () => {
    fake.replies(provider.planning([tap]), provider.planning([tap]));
    await decompose();
    await decompose({ soFar: { results: [], before: null, note: 'Go on.', news: [] } });
    const [first, second] = fake.calls.map(({ body: { system, tools } }) =>
      JSON.stringify({ system, tools }),
    );
    expect(second).to.equal(first);
  });
});
