import { expect } from 'chai';
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
