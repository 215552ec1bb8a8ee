import { expect } from 'chai';
import type { Intent, MessageAnswer, Plan } from '../../contracts/resources/agent-turn.ts';
import { ModelNotServed, ProviderKeyRefused, ProviderUnavailable } from '../../infra/model/port.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { ScriptedModel, startAgents, used, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own-canary' };
const plan = (...intents: Intent[]): Plan => ({ decision: 'plan', intents, readBack: false });
const home: Intent = { kind: 'navigate', url: 'http://sim.test/' };

describe('a message to an agent, given to a model', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ model });
  });
  after(() => agents.close());

  it('is carried out as the model plans it, and takes the tokens from the budget', async () => {
    model.plans(plan(home));
    const opened = await agents.open();
    const answer = await agents.message(opened, 'show me the start page', own);
    expect(answer.status, answer.text).to.equal(200);
    const { session, usage } = answer.json as unknown as Extract<MessageAnswer, { kind: 'plan-executed' }>;
    expect(usage).to.deep.equal({
      decomposer_kind: 'own_key',
      model: 'a-model',
      provider_input_tokens: 100,
      provider_output_tokens: 20,
      cost_usd_cents: 3,
    });
    expect(session.token_budget_total - session.token_budget_remaining).to.equal(120);
    const { apiKey, message, page, transcript } = model.asked.at(-1) ?? {};
    expect([apiKey, message, page, transcript]).to.deep.equal([
      'sk-ant-own-canary',
      'show me the start page',
      null,
      [],
    ]);
  });

  it('comes with the page and with what was said before', async () => {
    const opened = await agents.open();
    await agents.message(opened, 'go to http://sim.test/form');
    model.plans({ decision: 'answer', answer: 'A form.' });
    const answer = await agents.message(opened, 'what is this?', own);
    expect(answer.json).to.deep.include({ kind: 'plan-executed', intents: [], results: [], ok: true });
    expect((await agents.transcript(opened)).at(-1)?.body).to.equal('A form.');
    const { page, transcript } = model.asked.at(-1) ?? {};
    expect(page?.title).to.equal('Simulated form');
    expect(transcript?.map(({ role, body }) => [role, body])).to.deep.equal([
      ['user', 'go to http://sim.test/form'],
      ['agent', 'Opened http://sim.test/form (status 200).'],
    ]);
  });

  it('is answered with a question, or with a refusal', async () => {
    const opened = await agents.open();
    model.plans({ decision: 'clarify', question: 'Which one?' });
    const asked = await agents.message(opened, 'buy it', own);
    expect(asked.json).to.deep.include({ kind: 'clarify', clarifying_question: 'Which one?' });
    model.plans({ decision: 'refuse', reason: 'That is not for me.' });
    const refused = await agents.message(opened, 'break it', own);
    expect(refused.json).to.deep.include({ kind: 'refuse', refuse_reason: 'That is not for me.' });
    expect((await agents.transcript(opened)).map(({ body }) => body)).to.deep.equal([
      'buy it',
      'clarify: Which one?',
      'break it',
      'refused: That is not for me.',
    ]);
  });

  it('is answered from the page where the model wants to read it back, which is counted apart', async () => {
    const opened = await agents.open();
    model.plans({ ...plan(home), readBack: true } as Plan).readsBack('It says Welcome.');
    const answer = await agents.message(opened, 'what does the start page say?', own);
    const { session, usage } = answer.json as unknown as Extract<MessageAnswer, { kind: 'plan-executed' }>;
    expect(usage?.provider_input_tokens).to.equal(100);
    expect(session.token_budget_total - session.token_budget_remaining).to.equal(240);
    expect(model.asked.at(-1)?.page?.title).to.equal('Simulated home');
    const entry = (await agents.transcript(opened)).at(-1);
    expect([entry?.body, entry?.intents?.length]).to.deep.equal(['It says Welcome.', 1]);
  });

  it('stands although the page could not be read back', async () => {
    const opened = await agents.open();
    model.plans({ ...plan(home), readBack: true } as Plan).readsBack(new ProviderUnavailable('down', 1));
    const answer = await agents.message(opened, 'what does the start page say?', own);
    expect([answer.status, answer.json.ok]).to.deep.equal([200, true]);
    expect((answer.json.session as { error_event: object }).error_event).to.deep.include({
      code: 'read_back_failed',
      severity: 'warn',
      retryable: true,
    });
  });

  it('loses its secrets before it can be read, however it names them', async () => {
    const opened = await agents.open();
    const secret = 'canary-of-a-phrase';
    let before: string[] = [];
    model.plans(async () => {
      before = (await agents.transcript(opened)).map(({ body }) => body);
      return plan(
        { kind: 'navigate', url: 'http://sim.test/login' },
        { kind: 'interact', action: { kind: 'type', selector: '#password', text: secret, sensitive: true } },
        { kind: 'interact', action: { kind: 'type', selector: '#username', text: `${secret}!` } },
        { kind: 'wait', condition: { kind: 'text', text: secret }, timeout_ms: 1 },
      );
    });
    model.plans({ decision: 'answer', answer: `It does not say ${secret}.` });
    const answer = await agents.message(opened, `let me in, I am ada / ${secret}`, own);
    expect(answer.status, answer.text).to.equal(200);
    const [user] = await agents.transcript(opened);
    expect([before, user?.body]).to.deep.equal([[], 'let me in, I am ada / [hidden]']);
    expect(model.asked.at(-1)?.message).to.contain(secret);
    const kept = [answer.text, await agents.transcript(opened), await agents.sealed(opened)];
    expect(JSON.stringify(kept)).not.to.contain(secret);
  });

  const late = 'canary-of-a-later-round';
  const type: Intent = {
    kind: 'interact',
    action: { kind: 'type', selector: '#password', text: late, sensitive: true },
  };
  const login: Intent = { kind: 'navigate', url: 'http://sim.test/login' };
  const lateSecrets: readonly (readonly [what: string, plans: readonly Plan[]])[] = [
    ['only a later plan types', [{ ...plan(login), after: 'look' } as Plan, plan(type)]],
    ['a question marks', [{ decision: 'clarify', question: `Is ${late} yours?`, secrets: [late] }]],
  ];
  for (const [what, plans] of lateSecrets)
    it(`loses a secret that ${what}`, async () => {
      const opened = await agents.open();
      for (const each of plans) model.plans(each);
      const answer = await agents.message(opened, `let me in, I am ada / ${late}`, own);
      expect(answer.status, answer.text).to.equal(200);
      const said = await agents.transcript(opened);
      expect(said.map(({ role }) => role)).to.deep.equal(['user', 'agent']);
      expect(said[0]?.body).to.equal('let me in, I am ada / [hidden]');
      expect(JSON.stringify([answer.text, said, await agents.sealed(opened)])).not.to.contain(late);
    });

  const refusals: readonly (readonly [refuses: string, error: Error])[] = [
    ['does not accept', new ProviderKeyRefused('no')],
    ['has no credit left for', new ProviderKeyRefused('no', 'credit')],
    ['does not offer the model to', new ModelNotServed('no', 5)],
  ];
  for (const [refuses, error] of refusals)
    it(`answers 502 where the provider ${refuses} the key, with the reason`, async () => {
      const opened = await agents.open();
      model.fails(error);
      const { status, json, text } = await agents.message(opened, 'do it', own);
      expect([status, json.reason, json.detail], text).to.deep.equal([
        ...[502, 'rejected', `The model provider ${refuses} the key.`],
      ]);
      expect(json.type).to.include('byok-llm-required');
      expect(text).not.to.contain('canary');
      expect((await agents.state(opened.id)).turn).to.equal(null);
    });

  it('answers 503 with a time to wait where the provider is down, and does nothing', async () => {
    const opened = await agents.open();
    model.fails(new ProviderUnavailable('down', 7, { ...used, inputTokens: 30, outputTokens: 0 }));
    const answer = await agents.message(opened, 'do it', own);
    expect([answer.status, outcomeOf(answer), answer.headers['retry-after']]).to.deep.equal([
      503,
      'model-unavailable',
      '7',
    ]);
    const { error, browser, tokensUsed } = await agents.state(opened.id);
    expect(error).to.deep.include({ code: 'model_unavailable', retryable: true });
    expect([browser, tokensUsed]).to.deep.equal([null, 30]);
    expect((await agents.transcript(opened)).at(-1)?.body).to.match(/^refused: The model provider/);
  });

  it('answers 503 with a time to wait where a store is away before anything was done', async () => {
    const opened = await agents.open();
    model.fails(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    const answer = await agents.message(opened, 'do it', own);
    expect([answer.status, outcomeOf(answer)]).to.deep.equal([503, 'feature-unavailable']);
    expect(Number(answer.headers['retry-after'])).to.be.above(0);
    const { error, turn } = await agents.state(opened.id);
    expect(error).to.deep.include({ code: 'store_unavailable', retryable: true });
    expect(turn).to.equal(null);
  });
});

describe('a message to an agent that fails after a step', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => void (agents = await startAgents({ model })));
  after(() => agents.close());

  it('is answered without an invitation to send it again, and its key stands for it', async () => {
    const opened = await agents.open();
    const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    model.plans({ ...plan(home), after: 'look' } as Plan).fails(away);
    const headers = { ...own, 'idempotency-key': 'stepped' };
    const answer = await agents.message(opened, 'do it', headers);
    expect([answer.status, outcomeOf(answer), answer.headers['retry-after']]).to.deep.equal([
      503,
      'feature-unavailable',
      undefined,
    ]);
    expect(answer.json.detail).to.match(/after it had done steps.* Check the page/);
    expect((await agents.state(opened.id)).turn?.settled).to.equal(1);
    const again = await agents.message(opened, 'do it', headers);
    expect([again.text, again.headers['idempotency-replayed']]).to.deep.equal([answer.text, 'true']);
  });
});

describe('a message to an agent that only the grammar reads', () => {
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ config: { DECOMPOSER: 'deterministic' } });
  });
  after(() => agents.close());

  it('is answered with what was not understood, and what was', async () => {
    const opened = await agents.open();
    const answer = await agents.message(opened, 'go to http://sim.test/ then buy the red one');
    expect([answer.status, answer.json.kind]).to.deep.equal([200, 'clarify']);
    expect(answer.json.clarifying_question)
      .to.contain('"buy the red one"')
      .and.contain('go to http://sim.test/');
    expect((await agents.state(opened.id)).browser).to.equal(null);
  });
});

describe('a message to an agent whose model takes too long', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ model, config: { TURN_DEADLINE: 1_000 } });
  });
  after(() => agents.close());

  it('is answered with 503, even if the call never ends', async () => {
    const opened = await agents.open();
    model.plans(() => new Promise(() => undefined));
    const answer = await agents.message(opened, 'think', own);
    expect([answer.status, outcomeOf(answer), answer.headers['retry-after']]).to.deep.equal([
      503,
      'model-unavailable',
      '1',
    ]);
  });

  it('has one deadline for all its calls', async () => {
    const opened = await agents.open();
    model.plans({
      ...plan({ kind: 'navigate', url: 'http://sim.test/slow?ms=1500' }),
      readBack: true,
    } as Plan);
    const answer = await agents.message(opened, 'what does it say?', own);
    expect([answer.status, answer.json.ok]).to.deep.equal([200, true]);
    const { error } = await agents.state(opened.id);
    expect(error?.code).to.equal('read_back_failed');
  });
});

describe('a message to an agent for which there is no key of a model', () => {
  let agents: Agents;
  before(async () => {
    agents = await startAgents();
  });
  after(() => agents.close());

  it('is answered with 502, and stays in the transcript with that', async () => {
    const opened = await agents.open();
    const answer = await agents.message(opened, 'find the best one');
    expect([answer.status, outcomeOf(answer)]).to.deep.equal([502, 'byok-llm-required']);
    expect(answer.json).not.to.have.property('reason');
    const said = (await agents.transcript(opened)).map(({ role, body }) => `${role}: ${body}`);
    expect(said[0]).to.equal('user: find the best one');
    expect(said[1]).to.match(/^agent: refused: This message needs a model/);
  });
});
