import { expect } from 'chai';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import * as provider from '../../verification/testbed/model-provider.ts';
import { ModelNotServed, ProviderKeyRefused, ProviderUnavailable } from '../port.ts';
import { createAnthropicDecomposer } from './decomposer.ts';

const key = 'canary-key-0123456789';
const model = 'claude-fable-5-2';

describe('a key that the model provider does not serve', () => {
  let fake: provider.TestModelProvider;
  beforeEach(async () => void (fake = await provider.startModelProvider({ keys: [key] })));
  afterEach(() => fake.close());

  const refused = async (...how: Parameters<typeof provider.failing>): Promise<unknown> => {
    fake.otherwise(provider.failing(...how));
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
    const call = { model, apiKey: key, message: 'greet "Ada"', transcript: [], page: null };
    const asked = createAnthropicDecomposer({ guard, baseUrl: fake.url });
    const error = await asked.decompose({ ...call, signal: AbortSignal.timeout(20_000) }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(fake.calls).to.have.length(1);
    return error;
  };

  for (const [status, lacks] of [
    [401, 'validity'],
    [402, 'credit'],
    [403, 'validity'],
  ] as const)
    it(`is refused with ${status} for want of ${lacks}`, async () => {
      const error = await refused(status, { message: `${key} is wrong` });
      expect(error).to.be.instanceOf(ProviderKeyRefused).and.to.include({ lacks });
    });

  it('is not served the model if a 404 names it', async () => {
    const error = await refused(404, { message: `model: ${model}` });
    expect(error).to.be.instanceOf(ModelNotServed);
  });

  it('is not to blame for a 404 that names no model, as of a wrong address', async () => {
    const error = await refused(404, { message: 'Not Found' });
    expect(error).to.be.instanceOf(ProviderUnavailable).and.not.to.be.instanceOf(ModelNotServed);
  });
});
