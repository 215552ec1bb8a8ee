import { expect } from 'chai';
import { upkeepOn } from '../../commands/agent-session/testing.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { Intent, Plan } from '../../contracts/resources/agent-turn.ts';
import { session } from '../../domain/session/session.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { ScriptedModel, startAgents, type Agents } from '../testing/agents.ts';
import { slowPage, slowUrl } from '../testing/slow-page.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
const home: Intent = { kind: 'navigate', url: 'http://sim.test/' };
const slow: Intent = { kind: 'navigate', url: slowUrl };
const plan = (...intents: Intent[]): Plan => ({ decision: 'plan', intents, readBack: false });

describe('control that changes while a turn runs', () => {
  const model = new ScriptedModel();
  const page = slowPage();
  let agents: Agents;
  before(async () => {
    const turnSettings = { controlCheckMs: 20, lastWordsMs: 50, busyPatienceMs: 1_000 };
    agents = await startAgents({ model, turnSettings, driver: { waits: page.waits } });
  });
  after(() => agents.close());

  const inTurn = (id: `agt_${string}`) => until(async () => (await agents.state(id)).turn !== null);

  it('ends the call of a model that takes long, and the turn with it', async () => {
    const opened = await agents.open({ mode: 'pair' });
    let isAborted = false;
    model.plans(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('aborted'));
          });
        }),
    );
    const answer = agents.message(opened, 'think about it', own);
    await inTurn(opened.id);
    await agents.takeOver(opened.id);
    expect((await agents.state(opened.id)).pair?.kind).to.equal('takeover-queued');
    const { status, json } = await answer;
    expect([status, json.ai_control_unavailable, json.phase]).to.deep.equal([409, true, 'decomposing']);
    expect(json).not.to.have.any.keys('tokens_consumed', 'usage', 'partial_results');
    expect(isAborted).to.equal(true);
    const { pair, turn } = await agents.state(opened.id);
    expect([pair?.kind, turn]).to.deep.equal(['takeover-pending', null]);
    expect((await agents.transcript(opened)).map(({ role, body }) => [role, body])).to.deep.equal([
      ['user', 'think about it'],
      ['agent', 'Halted: control of the session changed.'],
    ]);
  });

  it('lets a model that is nearly done answer, and counts what it used', async () => {
    const opened = await agents.open();
    const { open, pass } = gate();
    model.plans(async () => {
      await pass();
      return plan(home);
    });
    const answer = agents.message(opened, 'show me the start page', own);
    await inTurn(opened.id);
    await agents.changeMode(opened.id, 'manual');
    open();
    const { status, json } = await answer;
    expect([status, json.phase, json.tokens_consumed]).to.deep.equal([409, 'decomposing', 120]);
    expect(json.usage).to.deep.include({ decomposer_kind: 'own_key', provider_input_tokens: 100 });
    const { tokensUsed, browser } = await agents.state(opened.id);
    expect([tokensUsed, browser]).to.deep.equal([120, null]);
  });

  it('lets the step under way settle, takes no other, and says what had been done', async () => {
    const opened = await agents.open();
    const answer = agents.message(opened, `go to http://sim.test/ then go to ${slowUrl} then scroll down`);
    await page.asked();
    await agents.changeMode(opened.id, 'manual');
    page.comes();
    const { status, json } = await answer;
    expect([status, json.phase]).to.deep.equal([409, 'executing']);
    expect((json.partial_results as { kind: string }[]).map(({ kind }) => kind)).to.deep.equal([
      'success',
      'success',
    ]);
    const { browser } = await agents.state(opened.id);
    expect(agents.operations(browser?.sessionId)).to.deep.equal(['navigate', 'navigate']);
    expect((await agents.transcript(opened)).at(-1)?.body).to.match(
      /Halted after 2 of 3 steps: control of the session changed\.$/,
    );
  });

  it('wins when it comes after the last step and before the turn has settled', async () => {
    const opened = await agents.open();
    model.plans({ ...plan(home), readBack: true } as Plan);
    const readingBack = gate();
    const readBack = model.readBack.bind(model);
    model.readBack = async (call) => {
      await readingBack.pass();
      return readBack(call);
    };
    model.readsBack('Welcome.');
    const answer = agents.message(opened, 'what does it say?', own);
    await readingBack.reached;
    await agents.shut(opened.id);
    readingBack.open();
    const { status, json } = await answer;
    model.readBack = readBack;
    expect([status, json.phase, json.tokens_consumed]).to.deep.equal([409, 'settling', 240]);
    expect(json.partial_results).to.have.length(1);
  });

  it('refuses a message while a turn runs, with its phase, and while a person has the controls', async () => {
    const opened = await agents.open({ mode: 'pair' });
    const { open, pass } = gate();
    model.plans(async () => {
      await pass();
      return plan(slow);
    });
    const first = agents.message(opened, 'take your time', own);
    await inTurn(opened.id);
    const second = await agents.message(opened, 'scroll down');
    expect([second.status, second.json.phase]).to.deep.equal([409, 'decomposing']);
    open();
    await page.asked();
    const third = await agents.message(opened, 'scroll down');
    expect([third.status, third.json.phase]).to.deep.equal([409, 'executing']);
    page.comes();
    expect((await first).status).to.equal(200);
    await agents.takeOver(opened.id);
    const fourth = await agents.message(opened, 'scroll down');
    expect([fourth.status, fourth.json.ai_control_unavailable]).to.deep.equal([409, true]);
  });

  it('ends a turn that was taken for lost with what it knows, and nothing more is done', async () => {
    const opened = await agents.open();
    const answer = agents.message(opened, `go to ${slowUrl} then scroll down`);
    await page.asked();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const lost = { leaseMs: 1, lastHeartbeatAt: null, heartbeatDueAt: later, at: later };
    await agents.run(opened.id, { type: 'AbandonTurn', ...lost });
    page.comes();
    const { status, json } = await answer;
    expect([status, json.ai_control_unavailable]).to.deep.equal([409, true]);
    const ends = (await agents.typesOf(opened.id)).filter((type) =>
      /^Turn(Sett|Fail|Super|Aband)/.test(type),
    );
    expect(ends).to.deep.equal(['TurnAbandoned']);
  });

  describe('of the driver session', () => {
    const attached = async (mode: 'ai' | 'pair' = 'ai') => {
      const account = await agents.side.staff.account('team');
      const { json } = await agents.side.call('POST /v1/sessions', { token: account.token, body: {} });
      const sessionId = json.id as `ses_${string}`;
      return { sessionId, ...(await agents.open({ account, attached: sessionId, mode })) };
    };
    const end = (sessionId: unknown, token: string) =>
      agents.side.call(`DELETE /v1/sessions/${String(sessionId)}`, { token });

    it('that ends under the turn fails the step, and the next turn starts another', async () => {
      const opened = await agents.open();
      const answer = agents.message(opened, 'go to http://sim.test/ then go to http://sim.test/slow?ms=5000');
      await until(async () => (await agents.typesOf(opened.id)).includes('IntentSettled'));
      const first = (await agents.state(opened.id)).browser?.sessionId;
      await end(first, opened.token);
      const { status, json } = await answer;
      expect([status, json.ok]).to.deep.equal([200, false]);
      const results = json.results as { kind: string; diagnosis?: object }[];
      expect(results.map(({ kind }) => kind)).to.deep.equal(['success', 'failure']);
      expect(results[1]?.diagnosis).to.deep.equal({ category: 'session_error', retryable: false });
      expect((await agents.state(opened.id)).error).to.deep.include({ code: 'driver_session_ended' });
      const next = await agents.message(opened, 'go to http://sim.test/');
      expect(next.json.ok).to.equal(true);
      expect((await agents.state(opened.id)).browser?.sessionId).not.to.equal(first);
    });

    const browserOf = async (id: `agt_${string}`) => {
      const { browser } = await agents.state(id);
      return browser?.sessionId ?? expect.fail('There is no browser.');
    };

    it('that ends under the first step fails it, and the step is not taken in another', async () => {
      const opened = await agents.open();
      await agents.message(opened, 'go to http://sim.test/');
      const first = await browserOf(opened.id);
      const before = agents.operations(first).length;
      const answer = agents.message(opened, 'go to http://sim.test/slow?ms=5000');
      await until(() => agents.operations(first).length > before);
      await end(first, opened.token);
      const { json } = await answer;
      const [{ diagnosis } = { diagnosis: null }] = json.results as { diagnosis: object }[];
      expect(diagnosis).to.deep.equal({ category: 'session_error', retryable: false });
      expect((await agents.state(opened.id)).browser).to.equal(null);
    });

    for (const first of ['the turn', 'the process manager'])
      it(`that ends under the turn leaves the same error, once, where ${first} is the first to report it`, async () => {
        const opened = await agents.open();
        const { runner, context } = agents.side.staff;
        const upkeep = upkeepOn({ runner, clock: systemClock, sessions: undefined as never });
        const answer = agents.message(opened, `go to ${slowUrl}`);
        await page.asked();
        const ended = await browserOf(opened.id);
        const report = () => upkeep.loseDriverSession(ended, context());
        const destroy = { type: 'DestroySession', cause: 'customer', at: agents.at() } as const;
        await runner.run(session, uuidOf(ended), destroy, context());
        if (first === 'the process manager') await report();
        page.comes();
        const { json } = await answer;
        await report();
        const shown = { code: 'driver_session_ended', detail: null, retryable: false };
        expect((json.session as { error_event: object }).error_event).to.deep.include(shown);
        expect((await agents.typesOf(opened.id)).filter((type) => type === 'ErrorRaised').length).to.equal(1);
      });

    it('that another process has ended before the turn is started anew, although this one does not know it yet', async () => {
      const opened = await agents.open();
      await agents.message(opened, 'go to http://sim.test/');
      const first = await browserOf(opened.id);
      const { runner, context } = agents.side.staff;
      const destroy = { type: 'DestroySession', cause: 'customer', at: agents.at() } as const;
      await runner.run(session, uuidOf(first), destroy, context());
      expect((await agents.message(opened, 'go to http://sim.test/')).json.ok).to.equal(true);
      expect((await agents.state(opened.id)).browser?.sessionId).not.to.equal(first);
    });

    it('that ended before the turn is started anew, but for an attached one: that is 409', async () => {
      const spawning = await agents.open();
      await agents.message(spawning, 'go to http://sim.test/');
      await end((await agents.state(spawning.id)).browser?.sessionId, spawning.token);
      expect((await agents.message(spawning, 'go to http://sim.test/')).json.ok).to.equal(true);
      const { sessionId, ...opened } = await attached();
      await end(sessionId, opened.token);
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await agents.message(opened, 'scroll down');
        expect([answer.status, answer.json.service_session_id]).to.deep.equal([409, sessionId]);
      }
    });

    it('that an operation of the customer has is waited for, and given up as one that may be tried again', async () => {
      const { sessionId, ...opened } = await attached();
      const operate = () =>
        agents.side.call(`POST /v1/sessions/${sessionId}/navigate`, {
          token: opened.token,
          body: { url: slowUrl },
        });
      const short = operate();
      await page.asked();
      const waiting = agents.message(opened, 'scroll down');
      await until(async () => (await agents.state(opened.id)).turn?.phase === 'executing');
      page.comes();
      expect((await waiting).json.ok).to.equal(true);
      await short;
      const long = operate();
      await page.asked();
      const { json } = await agents.message(opened, 'scroll down');
      page.comes();
      expect((json.results as { diagnosis: object }[])[0]?.diagnosis).to.deep.equal({
        category: 'session_error',
        retryable: true,
      });
      await long;
    });

    it('that cannot be started is the answer, and the tokens stay counted', async () => {
      const account = await agents.side.staff.account('personal');
      await agents.side.call('POST /v1/sessions', { token: account.token, body: {} });
      const opened = await agents.open({ account });
      model.plans(plan(home));
      const answer = await agents.message(opened, 'show me the start page', own);
      expect([answer.status, outcomeOf(answer)]).to.deep.equal([429, 'concurrency-limit']);
      expect(answer.headers).not.to.have.property('retry-after');
      const { tokensUsed, error, browser, turn } = await agents.state(opened.id);
      expect([tokensUsed, browser, turn]).to.deep.equal([120, null, null]);
      expect(error).to.deep.include({
        code: 'concurrency_limit',
        customer_actionable: true,
        retryable: true,
      });
      const types = await agents.typesOf(opened.id);
      expect(types.filter((type) => type.startsWith('DriverSession'))).to.deep.equal([
        'DriverSessionSpawned',
        'DriverSessionLost',
      ]);
    });

    it('is not started when control changed while the model was asked', async () => {
      const opened = await agents.open();
      model.plans(async () => {
        await agents.changeMode(opened.id, 'manual');
        return plan(home);
      });
      expect((await agents.message(opened, 'show me', own)).status).to.equal(409);
      expect(await agents.typesOf(opened.id)).not.to.include('DriverSessionSpawned');
    });
  });
});
