import { expect } from 'chai';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import * as provider from '../../verification/testbed/model-provider.ts';
import { ProviderUnavailable, type ModelCall } from '../port.ts';
import { createAnthropicDecomposer } from './decomposer.ts';

const key = 'canary-key-0123456789';
const tap: Intent = { kind: 'interact', action: { kind: 'tap', text: 'Greet' } };
const usage = { model: 'claude-fable-5-2', inputTokens: 100, outputTokens: 20, costCents: null };

describe('the model as a decomposer', () => {
  let fake: provider.TestModelProvider;
  beforeEach(async () => void (fake = await provider.startModelProvider({ keys: [key] })));
  afterEach(() => fake.close());

  const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
  const backOff = { firstMs: 1, longestMs: 4 };
  const decomposer = (options: object = {}) =>
    createAnthropicDecomposer({ guard, baseUrl: fake.url, backOff, ...options });
  const call = (changes: Partial<ModelCall> = {}): ModelCall => ({
    model: 'claude-fable-5-2',
    apiKey: key,
    message: 'greet "Ada"',
    transcript: [],
    page: null,
    signal: AbortSignal.timeout(20_000),
    ...changes,
  });
  const decompose = (changes: Partial<ModelCall> = {}) => decomposer().decompose(call(changes));
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('It succeeded.'),
      (error: unknown) => error,
    );
  const unavailable = async (changes: Partial<ModelCall> = {}): Promise<ProviderUnavailable> => {
    const error = await failure(decompose(changes));
    expect(error).to.be.instanceOf(ProviderUnavailable);
    return error as ProviderUnavailable;
  };

  describe('decides', () => {
    it('on a plan, with what all of its tokens come to', async () => {
      fake.replies(provider.planning([tap], true));
      expect(await decompose()).to.deep.equal({
        plan: { decision: 'plan', intents: [tap], readBack: true },
        usage,
      });
    });

    it('on a question, a refusal or an answer', async () => {
      fake.replies(
        provider.clarifying('Which?'),
        provider.refusing('Not that.'),
        provider.answering('Four.'),
      );
      expect((await decompose()).plan).to.deep.equal({ decision: 'clarify', question: 'Which?' });
      expect((await decompose()).plan).to.deep.equal({ decision: 'refuse', reason: 'Not that.' });
      expect((await decompose()).plan).to.deep.equal({ decision: 'answer', answer: 'Four.' });
    });

    it('on a refusal where the provider stops for one', async () => {
      fake.replies(provider.declining);
      expect((await decompose()).plan).to.have.property('decision', 'refuse');
      expect(fake.calls).to.have.length(1);
    });

    it('that what goes into the field of a password is secret', async () => {
      const type = { kind: 'type', label: 'Password', text: 'x' } as const;
      fake.replies(provider.planning([{ kind: 'interact', action: type }]));
      const { plan } = await decompose();
      expect(plan).to.have.nested.property('intents[0].action.sensitive', true);
    });
  });

  describe('asks', () => {
    it('with one required tool, the message alone at the end, and nothing but the key it was given', async () => {
      fake.replies(provider.planning([tap]));
      await decompose();
      const [{ body, headers, key: sent } = expect.fail()] = fake.calls;
      expect(sent).to.equal(key);
      expect(body.tool_choice).to.include({ type: 'tool', name: 'plan' });
      expect(body.tools).to.have.length(1);
      expect(body.model).to.equal('claude-fable-5-2');
      expect(body.messages.at(-1)?.content)
        .to.be.an('array')
        .and.to.have.nested.property('[1].text', 'greet "Ada"');
      expect(JSON.stringify(body)).not.to.contain(key);
      expect(headers).not.to.have.any.keys('x-api-key', 'traceparent');
    });

    it('whatever the environment says', async () => {
      const before = { ...process.env };
      Object.assign(process.env, {
        ANTHROPIC_API_KEY: 'of-the-operator',
        ANTHROPIC_AUTH_TOKEN: 'of-the-operator',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
        ANTHROPIC_CUSTOM_HEADERS:
          'Authorization: Bearer of-the-operator\nX-Api-Key: of-the-operator\nX-Other: of-the-operator',
        ANTHROPIC_LOG: 'debug',
      });
      try {
        fake.replies(provider.planning([tap]));
        await decompose();
      } finally {
        process.env = before;
      }
      expect(fake.calls[0]?.key).to.equal(key);
      expect(JSON.stringify(fake.calls[0]?.headers)).not.to.contain('of-the-operator');
    });

    it('no address that is not allowed', async () => {
      const closed = decomposer({ guard: createOutboundGuard() });
      const error = await failure(closed.decompose(call()));
      expect(error)
        .to.be.instanceOf(ProviderUnavailable)
        .and.to.have.property('message')
        .that.contains('not allowed');
      const inside = createOutboundGuard({ lookup: () => Promise.resolve(['10.0.0.1']) });
      const named = decomposer({ guard: inside, baseUrl: 'https://provider.example' });
      expect(await failure(named.decompose(call())))
        .to.have.property('message')
        .that.contains('not allowed');
      expect(fake.calls).to.have.length(0);
    });

    it('no other address when it is redirected', async () => {
      fake.otherwise(
        (response) => void response.writeHead(307, { location: `${fake.url}/v1/messages?again` }).end(),
      );
      expect((await unavailable()).message).to.contain('307');
      expect(fake.calls).to.have.length(1);
    });
  });

  describe('where the answer is no plan', () => {
    const wrong: readonly (readonly [string, provider.ModelReply, string])[] = [
      [
        'has an unknown intent',
        provider.usingTool({ decision: 'plan', intents: [{ kind: 'dance' }] }),
        'known kind',
      ],
      [
        'has an unknown field',
        provider.usingTool({ decision: 'plan', intents: [{ ...tap, run: 'x' }] }),
        'additional properties',
      ],
      ['has no input that is an object', provider.usingTool('tap "Greet"'), 'must be object'],
      ['has an unknown decision', provider.usingTool({ decision: 'sing' }), '/decision'],
      ['lacks what it decided on', provider.usingTool({ decision: 'clarify' }), '`question`'],
      ['has a plan of nothing', provider.planning([]), '/intents'],
      ['has a plan of too much', provider.planning(Array<Intent>(51).fill(tap)), '/intents'],
      ['is a text', provider.saying('I tap it.'), 'did not use the tool'],
      ['came to the limit of tokens', provider.cutAtLimit, 'cut off'],
      ['is empty', provider.saying('', 'pause_turn'), 'did not use the tool'],
    ];
    for (const [name, reply, fault] of wrong)
      it(`because it ${name}, it is asked for once more with what is wrong`, async () => {
        fake.replies(reply, provider.planning([tap]));
        const { plan, usage: used } = await decompose();
        expect(plan).to.have.property('decision', 'plan');
        expect(used).to.deep.equal({ ...usage, inputTokens: 200, outputTokens: 40 });
        expect(JSON.stringify(fake.calls[1]?.body.messages.at(-1))).to.contain(fault);
      });

    it('twice, it is a refusal', async () => {
      fake.otherwise(provider.usingTool({ decision: 'plan', intents: [{ kind: 'dance' }] }));
      const { plan, usage: used } = await decompose();
      expect(plan).to.have.property('decision', 'refuse');
      expect(used).to.include({ inputTokens: 200, outputTokens: 40 });
      expect(fake.calls).to.have.length(2);
    });
  });

  describe('where the provider fails', () => {
    const passing: readonly (readonly [string, provider.ModelReply])[] = [
      ['429', provider.failing(429)],
      ['500', provider.failing(500)],
      ['529', provider.failing(529)],
      ['an HTML 502', provider.badGateway],
      ['an HTML page', provider.htmlPage],
      ['a body that is cut', provider.brokenOff],
      ['a connection that is reset', provider.resetting],
    ];
    for (const [name, reply] of passing) {
      it(`with ${name}, it is tried again, twice`, async () => {
        fake.replies(reply, reply, provider.planning([tap]));
        expect((await decompose()).plan).to.have.property('decision', 'plan');
        fake.otherwise(reply);
        expect((await unavailable()).usage).to.equal(null);
        expect(fake.calls).to.have.length(6);
      });
    }

    for (const status of [400, 404, 413])
      it(`with ${status}, it is not tried again`, async () => {
        fake.otherwise(provider.failing(status));
        expect((await unavailable()).message).to.equal(`The model provider answered ${status}.`);
        expect(fake.calls).to.have.length(1);
      });

    it('a short pause that it asks for is kept, and a long one handed on', async () => {
      fake.replies(provider.failing(429, { retryAfter: '1' }), provider.planning([tap]));
      const begun = performance.now();
      await decompose();
      expect(performance.now() - begun).to.be.at.least(950);
      fake.otherwise(provider.failing(529, { retryAfter: '120' }));
      expect((await unavailable()).retryAfterSeconds).to.equal(120);
      fake.otherwise(provider.failing(529, { retryAfter: new Date(Date.now() + 100_000).toUTCString() }));
      expect((await unavailable()).retryAfterSeconds).to.be.within(95, 101);
      expect(fake.calls).to.have.length(4);
    });

    it('a pause ends with the call', async () => {
      fake.otherwise(provider.failing(429, { retryAfter: '10' }));
      const error = await unavailable({ signal: AbortSignal.timeout(1_000) });
      expect(error).to.include({
        retryAfterSeconds: 10,
        message: 'The model provider did not answer in time.',
      });
    });

    it('by never answering or by dripping, it is left when the time is over', async () => {
      for (const reply of [provider.silent, provider.dripping]) {
        const time = new AbortController();
        fake.replies((response, body) => {
          setTimeout(() => time.abort(), 150);
          return reply(response, body);
        });
        const { message } = await unavailable({ signal: time.signal });
        expect(message).to.equal('The model provider did not answer in time.');
        await fake.calls.at(-1)?.over;
      }
      expect(fake.calls).to.have.length(2);
    });

    it('by answering ten megabytes, it is not read to the end', async () => {
      fake.otherwise(provider.huge());
      expect((await unavailable()).message).to.contain('too long');
      expect(fake.calls).to.have.length(1);
    });

    it('adds up the usage of a first answer that was no plan', async () => {
      fake.replies(provider.saying('Hm.'), provider.failing(404));
      expect((await unavailable()).usage).to.deep.equal(usage);
    });

    it('by being unreachable, the error says so', async () => {
      const error = await failure(decomposer({ baseUrl: 'http://127.0.0.1:1' }).decompose(call()));
      expect(error)
        .to.be.instanceOf(ProviderUnavailable)
        .and.to.have.property('message')
        .that.contains('be reached');
    });

    it('no error has the key or the words of the provider in it', async () => {
      const replies = [401, 403, 400, 500].map((status) =>
        provider.failing(status, { message: `bad ${key}`, retryAfter: key }),
      );
      for (const reply of replies) {
        fake.otherwise(reply);
        const error = await failure(decompose());
        expect(error).to.be.instanceOf(Error);
        const { stack = '', message } = error as Error;
        expect(
          JSON.stringify([stack, message, { ...(error as object) }, String((error as Error).cause)]),
        ).not.to.contain(key);
      }
    });
  });

  describe('reads back', () => {
    const readBack = (changes: Partial<ModelCall> = {}) => decomposer().readBack(call(changes));

    it('from text, or from the tool', async () => {
      fake.replies(provider.saying(' It says hello. '), provider.answering('It says hello.'));
      expect(await readBack()).to.deep.equal({ answer: 'It says hello.', usage });
      expect(await readBack()).to.have.property('answer', 'It says hello.');
      expect(JSON.stringify(fake.calls[0]?.body.messages)).to.contain(JSON.stringify('greet "Ada"'));
    });

    it('or says that there is no answer', async () => {
      fake.replies(provider.saying('  '), provider.declining);
      expect(await failure(readBack()))
        .to.be.instanceOf(ProviderUnavailable)
        .and.to.have.deep.property('usage', usage);
      expect(await readBack())
        .to.have.property('answer')
        .that.contains('declined');
    });
  });
});
