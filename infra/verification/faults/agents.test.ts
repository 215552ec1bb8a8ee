import { expect } from 'chai';
import type { AgentSessionId, SessionId } from '../../../contracts/ids.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import {
  answering,
  brokenOff,
  failing,
  silent,
  startModelProvider,
  type TestModelProvider,
} from '../testbed/model-provider.ts';
import { agentsOf, type AgentClient } from './agent-client.ts';
import { newClient, outcome, type Client } from './client.ts';
import { startWorld, type World } from './world.ts';

const inTime = { limitMs: 30_000, everyMs: 20 };
const home = 'go to http://sim.test/';
const slow = 'go to http://sim.test/slow?ms=400';
/** Outside of the grammar. */
const plain = 'what is this page about?';
const slug = ({ json }: Answer) => String(json.type).split('/').at(-1);

/** An agent session that has started a browser. */
interface Browsing {
  readonly id: AgentSessionId;
  readonly session: SessionId;
}

describe('Agent sessions', () => {
  let here: World;
  let provider: TestModelProvider;
  let client: Client;
  let agents: AgentClient;

  before(async () => {
    provider = await startModelProvider();
    here = await startWorld({
      TURN_LEASE: '6s',
      PAIR_HEARTBEAT: '2s',
      LLM_BASE_URL: provider.url,
      LLM_API_KEY: 'sk-ant-of-the-service',
      BUNDLED_LLM_CAP: '50',
    });
    client = await newClient(here.stack, 'enterprise');
    agents = agentsOf(client, here);
  });
  after(async () => {
    await here.stack.stop();
    await provider.close();
  });
  afterEach(async () => {
    await here.stack.heal();
    await here.stack.ready();
  });

  /** How often the model was called for this session, by message. */
  const asked = (message: string) =>
    provider.calls.filter(({ body }) => JSON.stringify(body).includes(message)).length;
  const withBrowser = async (): Promise<Browsing> => {
    const id = await agents.open();
    const { status, text } = await agents.say(id, home);
    expect(status, text).to.equal(200);
    return { id, session: await agents.browserOf(id) };
  };

  /** One kill -9 with a turn at each of the steps between which a process can die. */
  describe('whose write-api is killed', () => {
    const thought = 'what do you think?';
    let thinking: AgentSessionId;
    let dispatched: Browsing;
    let between: Browsing;
    let settled: Browsing;
    let cutOff: Promise<unknown>[];

    before(async () => {
      const { stack } = here;
      thinking = await agents.open();
      [dispatched, between, settled] = await Promise.all([withBrowser(), withBrowser(), withBrowser()]);
      const [node, writeApi] = [stack.link('node'), stack.link('write-api')];

      provider.replies(silent);
      cutOff = [outcome(agents.sayOnce('thinking', thinking, thought))];
      await until(() => asked(thought) === 1, inTime);
      cutOff.push(outcome(agents.sayOnce('dispatched', dispatched.id, 'wait 50 seconds')));
      await until(() => here.reached(dispatched.session, 'operate') === 2, inTime);
      writeApi.blackhole('answers');
      cutOff.push(outcome(agents.sayOnce('settled', settled.id, slow)));
      await until(async () => (await agents.count(settled.id, 'TurnSettled')) === 2, inTime);
      cutOff.push(outcome(agents.sayOnce('between', between.id, `${slow}; take a screenshot`)));
      await until(() => here.reached(between.session, 'operate') === 2, inTime);
      node.blackhole('requests');
      await until(async () => (await agents.count(between.id, 'IntentSettled')) === 2, inTime);
      await until(async () => (await here.eventsOf(between.session)).at(-1) === 'OperationClaimed', inTime);

      await stack.kill('write-api');
      // Data that was held back is lost with the receiving process.
      for (const link of [node, writeApi]) link.cut();
      await stack.heal();
      await stack.ready();
    });

    it('answer no request, and report no success', async () => {
      for (const answer of await Promise.all(cutOff)) expect(answer).to.be.oneOf(['broken', 502, 503]);
    });

    /** Expects what holds after a kill at any step: the turn is abandoned once, its key stays 409, and the next message works. */
    const isGivenUp = async (id: AgentSessionId, key: string, message: string) => {
      await until(async () => (await agents.count(id, 'TurnAbandoned')) === 1, inTime);
      await until(async () => (await agents.shown(id)).error_event, inTime);
      const { error_event: error, status } = await agents.shown(id);
      expect({ status, ...error }).to.include({ status: 'active', code: 'turn_lost', retryable: false });
      for (const answer of [await agents.sayOnce(key, id, message), await agents.sayOnce(key, id, message)])
        expect([answer.status, slug(answer)], answer.text).to.deep.equal([409, 'conflict']);
      const next = await agents.say(id, home);
      expect([next.status, next.json.ok], next.text).to.deep.equal([200, true]);
      expect(await agents.count(id, 'TurnAbandoned')).to.equal(1);
    };
    /** The browser that the agent session had started is not used again, and is gone. */
    const isReplaced = async ({ id, session }: Browsing) => {
      expect(await agents.browserOf(id)).not.to.equal(session);
      await until(async () => (await client.statusOf(session)) === 'destroyed', inTime);
      await until(() => here.reached(session, 'close') === 1, inTime);
    };

    it('while the model thinks: the turn is dropped, and the model is not called again', async () => {
      await isGivenUp(thinking, 'thinking', thought);
      expect(asked(thought)).to.equal(1);
    });

    it('during an intent: it was dispatched once, and its browser is replaced', async () => {
      await isGivenUp(dispatched.id, 'dispatched', 'wait 50 seconds');
      await isReplaced(dispatched);
      expect(here.reached(dispatched.session, 'operate')).to.equal(2);
    });

    it('between two intents: the first stays done, the second is not dispatched, and the browser is replaced', async () => {
      await isGivenUp(between.id, 'between', `${slow}; take a screenshot`);
      await isReplaced(between);
      expect(here.reached(between.session, 'operate')).to.equal(2);
    });

    it('after the turn settled and before the reply: its key has its answer, byte for byte', async () => {
      const replay = () => agents.sayOnce('settled', settled.id, slow);
      const [first, second] = [await replay(), await replay()];
      expect([first.status, first.headers['idempotency-replayed'], first.json.ok]).to.deep.equal([
        200,
        'true',
        true,
      ]);
      expect([second.status, second.text]).to.deep.equal([200, first.text]);
      expect(here.reached(settled.session, 'operate')).to.equal(2);
      expect(await agents.count(settled.id, 'TurnAbandoned')).to.equal(0);
    });
  });

  it('run one turn for five requests with one key at once', async () => {
    const { id, session } = await withBrowser();
    const answers = await Promise.all(Array.from({ length: 5 }, () => agents.sayOnce('raced', id, slow)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).not.to.be.empty;
    for (const answer of answers.filter((each) => !done.includes(each)))
      expect([answer.status, answer.headers['retry-after']], answer.text).to.deep.equal([409, '1']);
    const replayed = await agents.sayOnce('raced', id, slow);
    expect(new Set([...done, replayed].map(({ text }) => text)).size).to.equal(1);
    expect(await agents.count(id, 'TurnAdmitted')).to.equal(2);
    expect(here.reached(session, 'operate')).to.equal(2);
  });

  it('accept one of two messages at once; the refusal of the other names the phase of the turn', async () => {
    const { id, session } = await withBrowser();
    const answers = await Promise.all([agents.say(id, slow), agents.say(id, slow)]);
    const [won, lost] = answers.toSorted((one, other) => one.status - other.status);
    expect([won?.status, lost?.status]).to.deep.equal([200, 409]);
    expect(lost?.json.phase).to.be.oneOf(['admitted', 'decomposing', 'executing', 'settling']);
    expect(here.reached(session, 'operate')).to.equal(2);
  });

  it('whose node is killed fail the intent that was under way, and start another browser for the next message', async () => {
    const { id, session } = await withBrowser();
    const answer = agents.say(id, 'wait 50 seconds; take a screenshot');
    await until(() => here.reached(session, 'operate') === 2, inTime);
    await here.stack.kill('node');
    const { status, text, json } = await answer;
    expect([status, json.ok], text).to.deep.equal([200, false]);
    expect((json.results as { diagnosis: object }[]).map(({ diagnosis }) => diagnosis)).to.deep.equal([
      // A repeated wait changes nothing.
      { category: 'session_error', retryable: true },
    ]);
    expect((await agents.shown(id)).error_event?.code).to.match(/^driver_session_/);
    await here.stack.ready();
    const next = await agents.say(id, home);
    expect([next.status, next.json.ok], next.text).to.deep.equal([200, true]);
    expect(await agents.browserOf(id)).not.to.equal(session);
    expect(here.reached(session, 'operate')).to.equal(2);
  });

  describe('that wait for a model that hangs', () => {
    const hanging = async (mode: 'ai' | 'pair') => {
      const [id, message] = [await agents.open({ mode }), `${plain} ${mode}`];
      const before = asked(message);
      provider.replies(silent);
      const answer = agents.say(id, message);
      await until(() => asked(message) === before + 1, inTime);
      return { id, answer };
    };
    const stops = async (answer: Promise<Answer>, since: number) => {
      const { status, text, json } = await answer;
      expect(performance.now() - since).to.be.below(2_000);
      expect([status, json.ai_control_unavailable, json.phase], text).to.deep.equal([
        409,
        true,
        'decomposing',
      ]);
    };

    it('answer within two seconds of a close, and are closed', async () => {
      const { id, answer } = await hanging('ai');
      const since = performance.now();
      expect((await client.call(`DELETE /v1/agent-sessions/${id}`)).status).to.equal(200);
      await stops(answer, since);
      expect((await agents.shown(id)).status).to.equal('closed');
    });

    it('answer within two seconds of a takeover, which is queued, promoted at the end of the turn, and lapses', async () => {
      const { id, answer } = await hanging('pair');
      const since = performance.now();
      const taken = await client.call(`POST /v1/agent-sessions/${id}/takeover`, { client_id: 'ada' });
      expect(taken.json.pair_mode_state, taken.text).to.include({ kind: 'takeover-queued' });
      await stops(answer, since);
      const types = (await agents.eventsOf(id)).map(({ type }) => type);
      expect(types.slice(-2)).to.deep.equal(['TurnSuperseded', 'TakeoverPromoted']);
      await until(async () => (await agents.shown(id)).pair_mode_state?.kind === 'ai-driving', inTime);
    });
  });

  describe('whose provider', () => {
    const sent = async (message: string) => {
      const id = await agents.open();
      const answer = await agents.say(id, message);
      return { answer, session: await agents.shown(id) };
    };

    it('refuses the key report that', async () => {
      provider.replies(failing(401));
      const { answer, session } = await sent(plain);
      expect([answer.status, slug(answer), answer.json.reason]).to.deep.equal([
        502,
        'byok-llm-required',
        'rejected',
      ]);
      expect(session.token_budget_remaining).to.equal(session.token_budget_total);
    });

    for (const [what, reply] of [
      ['is overloaded', failing(529)],
      ['breaks off its answers', brokenOff],
    ] as const)
      it(`${what} answer with Retry-After, after three tries`, async () => {
        const [message, before] = [`${plain} It ${what}.`, provider.calls.length];
        provider.replies(reply, reply, reply);
        const { answer, session } = await sent(message);
        expect([answer.status, slug(answer)], answer.text).to.deep.equal([503, 'model-unavailable']);
        expect(Number(answer.headers['retry-after'])).to.be.above(0);
        expect(session.error_event).to.include({ code: 'model_unavailable', retryable: true });
        expect(provider.calls.length - before).to.equal(3);
      });
  });

  it('spend no more of the bundled model than the cap, of ten turns at once', async () => {
    const other = await newClient(here.stack, 'enterprise');
    const theirs = agentsOf(other, here);
    const patch = 'PATCH /v1/account/me/bundled-llm-settings';
    expect((await other.call(patch, { bundled_llm_consent: true })).status).to.equal(200);
    const ids = await Promise.all(Array.from({ length: 10 }, () => theirs.open()));
    const before = provider.calls.length;
    provider.replies(...ids.slice(0, 5).map(() => answering('Nothing.')));
    const answers = await Promise.all(ids.map((id) => theirs.say(id, plain, {})));
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 5 }, () => 402),
    ]);
    for (const answer of answers.filter(({ status }) => status === 402))
      expect(slug(answer)).to.equal('bundled-llm-budget-exhausted');
    expect(provider.calls.length - before).to.equal(5);
    const { json } = await other.call('GET /v1/account/me/bundled-llm-status');
    expect(json).to.include({ spent_cents: 50, cap_cents: 50 });
  });

  // A separate suite, so that it runs last.
  describe('after all of this', () => {
    it('have had no intent that reached a browser twice', () => {
      expect(here.repeated()).to.deep.equal([]);
    });
  });
});
