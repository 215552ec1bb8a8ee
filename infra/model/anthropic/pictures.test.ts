import { expect } from 'chai';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import * as provider from '../../verification/testbed/model-provider.ts';
import type { ModelCall } from '../port.ts';
import { createAnthropicDecomposer } from './decomposer.ts';

const plan = { decision: 'plan', intents: [{ kind: 'scroll', direction: 'down' }] };

describe('the model that is shown a picture', () => {
  let fake: provider.TestModelProvider;
  beforeEach(async () => void (fake = await provider.startModelProvider()));
  afterEach(() => fake.close());

  const decomposer = () =>
    createAnthropicDecomposer({
      guard: createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') }),
      baseUrl: fake.url,
    });
  const call = (picture: string | null): ModelCall => ({
    ...{ model: 'claude-fable-5-2', apiKey: 'key', message: 'what is it?', transcript: [], page: null },
    ...{ picture, signal: AbortSignal.timeout(20_000) },
  });
  const picturesIn = (index: number): readonly unknown[] =>
    (fake.calls[index]?.body.messages ?? []).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image'),
    );

  it('gets it as the provider wants it, and may ask for the next', async () => {
    fake.replies(
      provider.usingTool({ ...plan, after: 'look', picture: true }),
      provider.usingTool({ ...plan, picture: true }),
    );
    const { decompose } = decomposer();
    expect((await decompose(call('AAAA'))).plan).to.include({ after: 'look', picture: true });
    expect((await decompose(call(null))).plan).not.to.have.property('picture');
    const source = { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' };
    expect(picturesIn(0)).to.deep.equal([{ type: 'image', source }]);
    expect(picturesIn(1)).to.deep.equal([]);
  });

  it('is asked without one where the provider does not take it, and never gets one again', async () => {
    const no = provider.failing(400, { message: 'This model takes no images.' });
    fake.replies(no, provider.usingTool(plan), provider.usingTool(plan));
    const { decompose } = decomposer();
    for (let time = 0; time < 2; time += 1)
      expect((await decompose(call('AAAA'))).plan).to.include({ decision: 'plan' });
    expect([0, 1, 2].map((index) => picturesIn(index).length)).to.deep.equal([1, 0, 0]);
  });
});
