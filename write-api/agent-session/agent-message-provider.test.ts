import { expect } from 'chai';
import type { Intent, MessageAnswer } from '../../contracts/resources/agent-turn.ts';
import { createAnthropicDecomposer } from '../../infra/model/anthropic/decomposer.ts';
import { parseAllowList } from '../../infra/outbound/address-policy.ts';
import { createOutboundGuard } from '../../infra/outbound/guard.ts';
import * as provider from '../../infra/verification/testbed/model-provider.ts';
import type { ModelReply, TestModelProvider } from '../../infra/verification/testbed/model-provider.ts';
import { startAgents, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
const open = (path: string): Intent => ({ kind: 'navigate', url: `http://sim.test${path}` });
const tap = (text: string): Intent => ({ kind: 'interact', action: { kind: 'tap', text } });
const looking = (...intents: readonly Intent[]): ModelReply =>
  provider.usingTool({ decision: 'plan', intents, after: 'look' });
const times = (count: number, reply: ModelReply): readonly ModelReply[] =>
  Array.from({ length: count }, () => reply);
type Executed = Extract<MessageAnswer, { kind: 'plan-executed' }>;

/** Two rounds before the failing one. */
const firstTwo = [looking(open('/')), looking(tap('Form'))] as const;
const many = Array<Intent>(1000).fill({ kind: 'behavioral_pause', duration_ms: 0 });

/** The provider's third answer, and the outcome of the turn. */
const thirds: readonly (readonly [
  what: string,
  replies: readonly ModelReply[],
  ends: RegExp,
  calls: number,
])[] = [
  ['pages where messages should be', times(3, provider.htmlPage), /Halted: the model provider/, 3],
  ['half of an answer, each time', times(3, provider.brokenOff), /Halted: the model provider/, 3],
  ['that it is overloaded', times(3, provider.failing(529)), /Halted: the model provider/, 3],
  ['that the key is no good any more', [provider.failing(401)], /Halted: the model provider/, 1],
  ['ten megabytes', [provider.huge()], /Halted: the model provider/, 1],
  [
    'a text instead of a plan, twice',
    times(2, provider.saying('Sure!')),
    /refused: The model gave no valid plan/,
    2,
  ],
  [
    'a plan that is none, twice',
    times(2, provider.usingTool({ decision: 'plan', intents: [{ kind: 'fly' }] })),
    /refused: The model gave no valid plan/,
    2,
  ],
  [
    'a thousand intents, twice',
    times(2, provider.usingTool({ decision: 'plan', intents: many })),
    /refused: The model gave no valid plan/,
    2,
  ],
  [
    'the beginning of a plan, twice',
    times(2, provider.cutAtLimit),
    /refused: The model gave no valid plan/,
    2,
  ],
  ['that it declines', [provider.declining], /refused: The model declined/, 1],
];

describe('a message whose model provider, in the third round, says', () => {
  let fake: TestModelProvider;
  let agents: Agents;
  before(async () => {
    fake = await provider.startModelProvider();
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
    const backOff = { firstMs: 1, longestMs: 2, jitter: 0 };
    const model = createAnthropicDecomposer({ guard, baseUrl: fake.url, backOff });
    agents = await startAgents({ model, config: { TURN_DEADLINE: 200_000 } });
  });
  after(async () => {
    await agents.close();
    await fake.close();
  });

  const say = async (...replies: readonly ModelReply[]) => {
    const opened = await agents.open();
    const first = fake.calls.length;
    const left = [...firstTwo, ...replies];
    fake.otherwise((response, body) => (left.shift() ?? provider.failing(400))(response, body));
    const answer = await agents.message(opened, 'find the form and send it', own);
    expect(answer.status, answer.text).to.equal(200);
    const body = (await agents.transcript(opened)).at(-1)?.body ?? '';
    const { browser } = await agents.state(opened.id);
    const operations = agents.operations(browser?.sessionId);
    return {
      opened,
      answer: answer.json as unknown as Executed,
      body,
      operations,
      calls: fake.calls.length - first - 2,
    };
  };

  for (const [what, replies, ends, count] of thirds)
    it(`${what}, settles with what was done before`, async () => {
      const { opened, answer, body, operations, calls } = await say(...replies);
      expect([answer.kind, answer.ok, answer.results.length]).to.deep.equal(['plan-executed', false, 2]);
      expect(body)
        .to.match(/^Opened .*\nTapped "Form"\./s)
        .and.match(ends);
      expect([operations, calls]).to.deep.equal([['navigate', 'interact'], count]);
      const types = await agents.typesOf(opened.id);
      expect(types.filter((type) => /^Turn(Settled|Failed|Superseded|Abandoned)$/.test(type))).to.deep.equal([
        'TurnSettled',
      ]);
      expect((await agents.state(opened.id)).turn).to.equal(null);
    });

  it('the same act again that may have happened, does not do it, and goes on', async () => {
    const far: Intent = { kind: 'navigate', url: 'http://sim.test/unreachable' };
    const { answer, operations } = await say(looking(far), looking(far), provider.answering('It is away.'));
    expect(answer.results.map(({ kind }) => kind)).to.deep.equal([
      'success',
      'success',
      'failure',
      'failure',
    ]);
    expect(answer.results.at(-1))
      .to.have.property('reason')
      .that.matches(/^Not repeated/);
    expect([answer.ok, operations]).to.deep.equal([true, ['navigate', 'interact', 'navigate']]);
  });

  it('a plan that is corrected after the errors of the first one were sent back, goes on', async () => {
    const { answer, calls } = await say(
      provider.usingTool({ decision: 'plan', intents: many }),
      provider.planning([tap('Home')]),
    );
    expect([answer.ok, answer.results.length, calls]).to.deep.equal([true, 3, 2]);
  });
});

describe('a message whose model provider falls silent in the third round', () => {
  it('settles at its deadline with what was done before', async () => {
    const fake = await provider.startModelProvider();
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
    const model = createAnthropicDecomposer({ guard, baseUrl: fake.url });
    const agents = await startAgents({ model, config: { TURN_DEADLINE: 12_000 } });
    try {
      const opened = await agents.open();
      fake.replies(...firstTwo, provider.silent);
      const { status, text, json } = await agents.message(opened, 'find the form', own);
      expect([status, json.ok], text).to.deep.equal([200, false]);
      expect((await agents.eventsOf(opened.id)).at(-1)?.data).to.include({ limit: 'deadline' });
      expect((await agents.transcript(opened)).at(-1)?.body).to.match(
        /\nHalted: the turn has reached its time limit/,
      );
    } finally {
      await agents.close();
      await fake.close();
    }
  });
});
