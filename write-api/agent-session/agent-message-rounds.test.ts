import { expect } from 'chai';
import type { Intent, MessageAnswer, Plan } from '../../contracts/resources/agent-turn.ts';
import { ProviderKeyRefused, ProviderUnavailable } from '../../infra/model/port.ts';
import { gate } from '../../infra/verification/testbed/index.ts';
import { ScriptedModel, startAgents, used, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
const planned = (intents: readonly Intent[], more: object = {}): Plan => ({
  ...{ decision: 'plan', intents: [...intents], readBack: false },
  ...more,
});
const looking = (intents: readonly Intent[], more: object = {}) =>
  planned(intents, { after: 'look', ...more });
const open = (path: string): Intent => ({ kind: 'navigate', url: `http://sim.test${path}` });
const tap = (text: string): Intent => ({ kind: 'interact', action: { kind: 'tap', text } });
const scroll: Intent = { kind: 'scroll', direction: 'down' };
type Executed = Extract<MessageAnswer, { kind: 'plan-executed' }>;

describe('a message whose turn takes several rounds', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    const turnSettings = { controlCheckMs: 20, lastWordsMs: 50 };
    agents = await startAgents({ model, turnSettings, config: { LLM_API_KEY: 'sk-ant-bundled' } });
  });
  after(() => agents.close());

  type Opened = Awaited<ReturnType<Agents['open']>>;
  const say = async (opened: Opened) => {
    const answer = await agents.message(opened, 'find the form and send it', own);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json as unknown as Executed;
  };
  const bodyOf = async (opened: Opened) => (await agents.transcript(opened)).at(-1)?.body;

  it('is carried out round by round, each on the page as it is then', async () => {
    const opened = await agents.open();
    model.plans(looking([open('/')], { note: 'The form comes next.' })).plans(planned([tap('Form'), scroll]));
    const { intents, results, ok, rounds, usage } = await say(opened);
    expect([ok, rounds]).to.deep.equal([true, 2]);
    expect(intents).to.deep.equal([open('/'), tap('Form'), scroll]);
    expect(results.map(({ intent }) => intent)).to.deep.equal(intents);
    expect(usage).to.deep.include({
      provider_input_tokens: 200,
      provider_output_tokens: 40,
      cost_usd_cents: 6,
    });
    const [first, second] = model.asked.slice(-2);
    expect([first?.page, first?.soFar]).to.deep.equal([null, null]);
    expect(second?.page?.title).to.equal('Simulated home');
    expect(second?.soFar?.note).to.equal('The form comes next.');
    expect(second?.soFar?.results.map(({ kind }) => kind)).to.deep.equal(['success']);
    expect(await bodyOf(opened)).to.match(/^Opened .*\nTapped "Form"\.\nScrolled/s);
    expect((await agents.state(opened.id)).tokensUsed).to.equal(240);
    expect(JSON.stringify(await agents.sealed(opened))).not.to.contain('The form comes next.');
  });

  it('answers a turn of one round as before, with its number', async () => {
    const opened = await agents.open();
    const { json } = await agents.message(opened, 'go to http://sim.test/');
    expect(Object.keys(json)).to.deep.equal([
      'kind',
      'session',
      'intents',
      'results',
      'ok',
      'usage',
      'rounds',
    ]);
    expect(json.rounds).to.equal(1);
  });

  it('is looked at again where an intent fails, and what was not tried is left out', async () => {
    const opened = await agents.open();
    model
      .plans(planned([open('/'), tap('Nowhere'), tap('Form')]))
      .plans({ decision: 'answer', answer: 'There is no such thing.' });
    const { intents, results, ok, rounds } = await say(opened);
    expect([results.map(({ kind }) => kind), ok, rounds]).to.deep.equal([['success', 'failure'], true, 2]);
    expect(intents).to.deep.equal([open('/'), tap('Nowhere')]);
    expect(await bodyOf(opened)).to.equal('There is no such thing.');
    expect(model.asked.at(-1)?.soFar?.results.at(-1)).to.have.nested.property(
      'diagnosis.category',
      'element_not_found',
    );
  });

  it('ends with what was done where a later round is a question or a refusal', async () => {
    const ends: readonly (readonly [Plan, object, RegExp])[] = [
      [{ decision: 'clarify', question: 'Which?' }, { clarifying_question: 'Which?' }, /\nclarify: Which\?$/],
      [{ decision: 'refuse', reason: 'Not that.' }, { refuse_reason: 'Not that.' }, /\nrefused: Not that\.$/],
    ];
    for (const [end, shown, body] of ends) {
      const opened = await agents.open();
      model.plans(looking([open('/')])).plans(end);
      const answer = await say(opened);
      expect(answer).to.deep.include({ kind: 'plan-executed', ok: false, rounds: 2, ...shown });
      expect(answer.results).to.have.length(1);
      expect(await bodyOf(opened)).to.match(body);
    }
  });

  it('settles with what was done when it has had its rounds', async () => {
    const opened = await agents.open();
    const pages = ['/', '/form'];
    for (let round = 0; round < 12; round += 1) model.plans(looking([open(pages[round % 2] ?? '/')]));
    const { results, ok, rounds } = await say(opened);
    expect([results.length, ok, rounds]).to.deep.equal([12, false, 12]);
    expect(await bodyOf(opened)).to.match(/\nHalted: the turn has used all its rounds/);
    expect(await agents.eventsOf(opened.id)).to.have.length.below(40);
    expect((await agents.eventsOf(opened.id)).at(-1)?.data).to.include({ ok: false, limit: 'rounds' });
  });

  it('settles when it has taken its intents, the plan cut there', async () => {
    const opened = await agents.open();
    const many = Array<Intent>(30).fill({ kind: 'behavioral_pause', duration_ms: 0 });
    for (const path of ['/', '/form', '/login', '/account'])
      model.plans(looking([open(path), ...many.slice(1)]));
    const { intents, results, ok, rounds } = await say(opened);
    expect([intents.length, results.length, ok, rounds]).to.deep.equal([100, 100, false, 4]);
    expect(await bodyOf(opened)).to.match(/\nHalted: the turn has taken 100 steps/);
  });

  it('settles when the budget is used up, which is asked before each call', async () => {
    const opened = await agents.open({ tokenBudget: 200 });
    model.plans(looking([open('/')])).plans(looking([open('/form')]));
    const { ok, rounds, session } = await say(opened);
    expect([ok, rounds, session.status]).to.deep.equal([false, 2, 'active']);
    expect(await bodyOf(opened)).to.match(/\nHalted: the token budget/);
    const next = await agents.message(opened, 'scroll down');
    expect(next.json).to.have.nested.property('session.closed_reason', 'budget-exhausted');
  });

  it('reads nothing back when the budget is used up', async () => {
    const opened = await agents.open({ tokenBudget: 100 });
    model.plans(planned([open('/')], { readBack: true }));
    const calls = model.asked.length;
    const { ok, rounds, results } = await say(opened);
    expect([ok, rounds, results.length]).to.deep.equal([false, 1, 1]);
    expect(await bodyOf(opened)).to.match(/\nHalted: the token budget/);
    expect(model.asked.length - calls).to.equal(1);
    const { tokensUsed, error } = await agents.state(opened.id);
    expect([tokensUsed, error]).to.deep.equal([120, null]);
  });

  it('settles when it goes in circles', async () => {
    const opened = await agents.open();
    model.plans(looking([open('/')]));
    for (let round = 0; round < 3; round += 1) model.plans(looking([open('/')]));
    const { ok, rounds } = await say(opened);
    expect([ok, rounds]).to.deep.equal([false, 4]);
    expect(await bodyOf(opened)).to.match(/\nHalted: the last rounds did not change the page\.$/);
  });

  it('settles where the model cannot be asked again, and counts what that used', async () => {
    const failures: readonly (readonly [Error, number])[] = [
      [new ProviderUnavailable('down', 7), 120],
      [new ProviderUnavailable('down', 7, { ...used, inputTokens: 30, outputTokens: 0 }), 150],
      [new ProviderKeyRefused('no'), 120],
    ];
    for (const [failure, tokens] of failures) {
      const opened = await agents.open();
      model.plans(looking([open('/')])).fails(failure);
      const answer = await say(opened);
      expect([answer.ok, answer.results.length]).to.deep.equal([false, 1]);
      expect(answer).not.to.have.property('refuse_reason');
      expect(await bodyOf(opened)).to.match(/\nHalted: the model provider could not be reached/);
      const { tokensUsed, error } = await agents.state(opened.id);
      expect(tokensUsed).to.equal(tokens);
      expect(error).to.deep.include({ code: 'model_unavailable', severity: 'warn' });
    }
  });

  it('is superseded between two rounds in the phase decomposing, with all that was done', async () => {
    const opened = await agents.open({ mode: 'pair' });
    const { open: letGo, pass, reached } = gate();
    model.plans(looking([open('/'), tap('Form')])).plans(async () => {
      await pass();
      return planned([tap('Home')]);
    });
    const answer = agents.message(opened, 'find the form', own);
    await reached;
    await agents.takeOver(opened.id);
    letGo();
    const { status, json } = await answer;
    expect([status, json.phase, json.tokens_consumed]).to.deep.equal([409, 'decomposing', 240]);
    expect(json.partial_results).to.have.length(2);
    expect(json.usage).to.deep.include({ provider_input_tokens: 200 });
  });

  it('tells the model of a drain of the browser’s node, from the next round on', async () => {
    const opened = await agents.open();
    const calls = model.asked.length;
    model
      .plans(looking([open('/')]))
      .plans(async () => {
        const { browser } = await agents.state(opened.id);
        if (browser === null) throw new Error('The first round has started it.');
        const endsBy = new Date(Date.now() + 5.5 * 60_000).toISOString();
        const drain = { type: 'AnnounceDrain', sessionId: browser.sessionId, endsBy } as const;
        await agents.run(opened.id, { ...drain, at: agents.at() });
        return looking([open('/form')]);
      })
      .plans(planned([scroll]));
    await say(opened);
    model.plans({ decision: 'answer', answer: 'It is done.' });
    await agents.message(opened, 'is it done?', own);
    const told = model.asked.slice(calls).map(({ notice }) => notice?.includes('ends within 5 min') === true);
    expect(told).to.deep.equal([false, false, true, true]);
    expect((await agents.state(opened.id)).entries).to.equal(4);
  });

  it('ends where the browser has, and gets no other one', async () => {
    const opened = await agents.open();
    model.plans(looking([open('/')])).plans(async () => {
      const { browser } = await agents.state(opened.id);
      await agents.side.call(`DELETE /v1/sessions/${browser?.sessionId}`, { token: opened.token });
      return looking([open('/form'), scroll]);
    });
    const { ok, results, rounds } = await say(opened);
    expect([ok, rounds, results.at(-1)?.kind]).to.deep.equal([false, 2, 'failure']);
    const types = await agents.typesOf(opened.id);
    expect(types.filter((type) => type === 'DriverSessionSpawned')).to.have.length(1);
  });

  it('does not do again what failed and may have taken effect, on a page that has not changed', async () => {
    const opened = await agents.open();
    const unreachable = open('/unreachable');
    model
      .plans(looking([open('/')]))
      .plans(planned([unreachable]))
      .plans(planned([unreachable]))
      .plans(planned([tap('Form')]));
    const { results, ok } = await say(opened);
    expect([results.map(({ kind }) => kind), ok]).to.deep.equal([
      ['success', 'failure', 'failure', 'success'],
      true,
    ]);
    const repeated = results[2];
    expect(repeated).to.deep.include({ diagnosis: { category: 'invalid_request', retryable: false } });
    expect(repeated)
      .to.have.property('reason')
      .that.matches(/^Not repeated/);
    const { browser } = await agents.state(opened.id);
    expect(agents.operations(browser?.sessionId)).to.deep.equal(['navigate', 'navigate', 'interact']);
  });

  it('does not do it again by another name of the element either', async () => {
    const opened = await agents.open();
    const type = (selector: string): Intent => ({
      kind: 'interact',
      action: { kind: 'type', selector, variable: 'nobody' },
    });
    model.plans(looking([open('/form')]));
    for (const selector of ['#name', 'input[name="name"]', '#file']) model.plans(planned([type(selector)]));
    const { results } = await say(opened);
    const reasons = results.map((result) => (result.kind === 'failure' ? result.reason : ''));
    expect(reasons.map((reason) => reason.startsWith('Not repeated'))).to.deep.equal([
      ...[false, false, true, false],
    ]);
  });

  it('costs the bundled price once, with all its rounds and the read-back', async () => {
    const opened = await agents.open();
    await agents.side.call('PATCH /v1/account/me/bundled-llm-settings', {
      token: opened.token,
      body: { bundled_llm_consent: true },
    });
    model
      .plans(looking([open('/')]))
      .plans(planned([tap('Form')], { readBack: true }))
      .readsBack('A form.');
    const { json } = await agents.message(opened, 'open it');
    expect(json.usage).to.deep.include({ decomposer_kind: 'bundled', cost_usd_cents: 10 });
    expect(json.rounds).to.equal(2);
    const cents = (await agents.eventsOf(opened.id)).flatMap(({ type, data }) =>
      type === 'TurnDecomposed' || type === 'TurnReadBack' ? [data.usage.costCents] : [],
    );
    expect(cents).to.deep.equal([10, 0, 0]);
  });

  it('is answered again from its receipt as it was first', async () => {
    const opened = await agents.open();
    const headers = { ...own, 'idempotency-key': 'rounds' };
    model.plans(looking([open('/')])).plans(planned([tap('Form')]));
    const first = await agents.message(opened, 'find the form', headers);
    const again = await agents.message(opened, 'find the form', headers);
    expect(again.text).to.equal(first.text);
  });
});
