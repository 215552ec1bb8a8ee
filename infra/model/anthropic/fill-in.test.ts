import { expect } from 'chai';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import * as provider from '../../verification/testbed/model-provider.ts';
import { readResultForm } from '../result-form.ts';
import { createAnthropicDecomposer } from './decomposer.ts';

const form = readResultForm({
  type: 'object',
  required: ['total'],
  properties: { total: { $ref: '#/$defs/amount' }, all: { $ref: '#' } },
  $defs: { amount: { type: 'number', description: 'In dollars \ud83d' } },
});
const filling = (input: unknown) => provider.usingTool(input, {}, 'result');

describe('the model that fills in a result', () => {
  let fake: provider.TestModelProvider;
  beforeEach(async () => void (fake = await provider.startModelProvider()));
  afterEach(() => fake.close());

  const fillIn = () =>
    createAnthropicDecomposer({
      guard: createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') }),
      baseUrl: fake.url,
    }).fillIn(
      {
        ...{
          model: 'claude-fable-5-2',
          apiKey: 'key',
          message: 'what is the total?',
          transcript: [],
          page: null,
        },
        soFar: { results: [], before: null, note: 'It was 12.50.', news: [] },
        signal: AbortSignal.timeout(20_000),
      },
      form,
    );

  it('is given the form as a tool that it must use, with the note of the rounds before', async () => {
    fake.replies(filling({ result: { total: 12.5 } }));
    const { usage, ...filled } = await fillIn();
    expect(filled).to.deep.equal({ result: { total: 12.5 } });
    expect(usage).to.include({ inputTokens: 100, outputTokens: 20 });
    const [{ body } = expect.fail()] = fake.calls;
    expect(body.tool_choice).to.include({ type: 'tool', name: 'result' });
    expect(body.tools?.[0]).to.have.nested.property('input_schema.type', 'object');
    expect(body.tools?.[0]).to.have.nested.property(
      'input_schema.properties.result.properties.total.$ref',
      '#/properties/result/$defs/amount',
    );
    expect(body.tools?.[0]).to.have.nested.property(
      'input_schema.properties.result.properties.all.$ref',
      '#/properties/result',
    );
    expect(JSON.stringify(body.messages)).to.contain('It was 12.50.');
  });

  it('is given no half of a character, which the form may have', async () => {
    fake.replies(filling({ result: { total: 12.5 } }));
    await fillIn();
    expect(fake.calls[0]?.body.tools?.[0]).to.have.nested.property(
      'input_schema.properties.result.$defs.amount.description',
      'In dollars \ufffd',
    );
  });

  it('is asked once more for what does not fit, and says what is wrong with it', async () => {
    fake.replies(filling({ result: { total: '12.50' } }), filling({ result: { total: 12.5 } }));
    const { usage, ...filled } = await fillIn();
    expect(filled).to.deep.equal({ result: { total: 12.5 } });
    expect(usage).to.include({ inputTokens: 200, outputTokens: 40 });
    expect(JSON.stringify(fake.calls[1]?.body.messages)).to.contain('/total must be number');
  });

  it('gives up after that', async () => {
    fake.replies(provider.saying('12.50'), filling({ result: [] }));
    expect(await fillIn()).to.deep.include({ fault: '/ must be object' });
    fake.replies(filling({}), filling({ answer: 1 }));
    expect(await fillIn()).to.deep.include({ fault: 'The answer has no `result`.' });
    fake.replies(provider.declining);
    expect(await fillIn())
      .to.have.property('fault')
      .that.contains('declined');
    expect(fake.calls).to.have.length(5);
  });
});
