import { expect } from 'chai';
import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import type { AgentSessionId, SessionId } from '../../../contracts/ids.ts';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import {
  silent,
  startModelProvider,
  usingTool,
  type ModelReply,
  type TestModelProvider,
} from '../testbed/model-provider.ts';
import { agentsOf, type AgentClient } from './agent-client.ts';
import { newClient, outcome, type Client } from './client.ts';
import { startWorld, type World } from './world.ts';

const inTime = { limitMs: 60_000, everyMs: 20 };
const open = (path: string): Intent => ({ kind: 'navigate', url: `http://sim.test${path}` });
const looking = (...intents: readonly Intent[]): ModelReply =>
  usingTool({ decision: 'plan', intents, after: 'look' });
const done = (...intents: readonly Intent[]): ModelReply => usingTool({ decision: 'plan', intents });
const long: Intent = { kind: 'wait', condition: { kind: 'delay', ms: 50_000 } };
const slow = open('/slow?ms=400');
const two = [looking(open('/')), looking(open('/form'))] as const;

/** The provider's replies to each message, round by round; afterwards it does not answer. */
const stories = {
  thinking: two,
  dispatched: [...two, done(long, open('/login'))],
  between: [...two, looking(slow, open('/login'))],
  looking: [...two, looking(slow)],
  'after the round': [...two, looking(open('/login'))],
  settled: [...two, done(slow)],
  'on a node that dies': [...two, done(long, open('/login'))],
  'without a log': [...two, done(slow)],
} as const satisfies Record<string, readonly ModelReply[]>;
type Name = keyof typeof stories;
const names = Object.keys(stories) as Name[];
const messageOf = (name: Name) => `Do the errand that is ${name}.`;
const slug = ({ json }: Answer) => String(json.type).split('/').at(-1);

interface Turn {
  readonly id: AgentSessionId;
  readonly session: SessionId;
}

describe('Agent sessions in the third round of a turn', () => {
  let here: World;
  let provider: TestModelProvider;
  let client: Client;
  let agents: AgentClient;
  const turns = new Map<Name, Turn>();

  const turnOf = (name: Name): Turn => turns.get(name) ?? expect.fail(`There is no turn ${name}.`);
  const begin = async (name: Name): Promise<void> => {
    const id = await agents.open();
    const { status, text } = await agents.say(id, 'go to http://sim.test/account');
    expect(status, text).to.equal(200);
    turns.set(name, { id, session: await agents.browserOf(id) });
  };
  const say = (name: Name) => agents.sayOnce(name.replaceAll(' ', '-'), turnOf(name).id, messageOf(name));
  /** Number of model calls for a message. */
  const asked = (name: Name) =>
    provider.calls.filter(({ body }) => JSON.stringify(body.messages.at(-1)).includes(messageOf(name)))
      .length;
  /** Operations that reached the browser; the first came before the message. */
  const reached = (name: Name) => here.reached(turnOf(name).session, 'operate');
  const count = (name: Name, type: AgentSessionEvent['type']) => agents.count(turnOf(name).id, type);

  before(async () => {
    provider = await startModelProvider();
    provider.otherwise((response, body) => {
      const said = JSON.stringify(body.messages);
      const name = names.find((each) => said.includes(messageOf(each)));
      const reply = name && stories[name][asked(name) - 1];
      return (reply ?? silent)(response, body);
    });
    here = await startWorld({ TURN_LEASE: '10s', LLM_BASE_URL: provider.url });
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

  /** Running turns. */
  class Running {
    readonly outcomes: Promise<unknown>[] = [];
    readonly #ended: string[] = [];

    start(name: Name): void {
      const answer = say(name);
      this.outcomes.push(outcome(answer));
      answer.then(
        ({ status, text }) => this.#ended.push(`${name}: ${status} ${text}`),
        () => this.#ended.push(`${name}: broken`),
      );
    }

    /** Waits for the condition; fails if a turn ends before it is true. */
    async are(question: () => boolean | Promise<boolean>): Promise<void> {
      await until(async () => this.#ended.length > 0 || (await question()), inTime);
      expect(this.#ended).to.deep.equal([]);
    }
  }

  /** Sends the same key twice, and asserts the same answer or refusal both times. */
  const answeredAgain = async (name: Name): Promise<Answer> => {
    const [first, second] = [await say(name), await say(name)];
    const told = ({ status, json }: Answer) => ({ ...json, status, instance: null, request_id: null });
    expect(told(second)).to.deep.equal(told(first));
    return first;
  };

  /** One kill -9, with a turn at each of the steps of its third round between which a process can die. */
  describe('whose write-api is killed', () => {
    let outcomes: readonly unknown[];

    before(async () => {
      const { stack } = here;
      const [node, writeApi] = [stack.link('node'), stack.link('write-api')];
      const killed = ['thinking', 'dispatched', 'after the round', 'settled', 'between', 'looking'] as const;
      await Promise.all(killed.map(begin));
      const running = new Running();
      for (const name of ['thinking', 'dispatched', 'after the round'] as const) running.start(name);
      await running.are(() => asked('thinking') === 3 && asked('after the round') === 4);
      await running.are(() => reached('dispatched') === 4);
      writeApi.blackhole('answers');
      running.start('settled');
      await running.are(async () => (await count('settled', 'TurnSettled')) === 2);
      for (const name of ['between', 'looking'] as const) running.start(name);
      await running.are(() => reached('between') === 4 && reached('looking') === 4);
      node.blackhole('requests');
      for (const name of ['between', 'looking'] as const)
        await running.are(async () => (await count(name, 'IntentSettled')) === 4);
      await running.are(
        async () => (await here.eventsOf(turnOf('between').session)).at(-1) === 'OperationClaimed',
      );
      await stack.kill('write-api');
      // Data that was held back is lost with the receiving process.
      for (const link of [node, writeApi]) link.cut();
      await stack.heal();
      await stack.ready();
      outcomes = await Promise.all(running.outcomes);
    });

    it('answer no request, and report no success', () => {
      for (const each of outcomes) expect(each).to.be.oneOf(['broken', 502, 503]);
    });

    for (const [name, operations, calls, intents] of [
      ['thinking', 3, 3, 3],
      ['dispatched', 4, 3, 3],
      ['between', 4, 3, 4],
      ['looking', 4, 3, 4],
      ['after the round', 4, 4, 4],
    ] as const)
      it(`${name}: keep what was done, do nothing twice, and say under its key that the rest is not known`, async () => {
        const { id, session } = turnOf(name);
        await until(async () => (await count(name, 'TurnAbandoned')) === 1, inTime);
        await until(async () => (await agents.shown(id)).error_event?.code === 'turn_lost', inTime);
        const again = await answeredAgain(name);
        expect([again.status, slug(again)], again.text).to.deep.equal([409, 'conflict']);
        expect([await count(name, 'IntentSettled'), asked(name)]).to.deep.equal([intents, calls]);
        const next = await agents.say(id, 'go to http://sim.test/');
        expect([next.status, next.json.ok], next.text).to.deep.equal([200, true]);
        expect(await agents.browserOf(id)).not.to.equal(session);
        await until(async () => (await client.statusOf(session)) === 'destroyed', inTime);
        expect(here.reached(session, 'operate')).to.equal(operations);
        expect(await count(name, 'TurnAbandoned')).to.equal(1);
      });

    it('settled, before the reply: have the answer of all three rounds under its key', async () => {
      const { status, headers, json } = await answeredAgain('settled');
      expect([status, headers['idempotency-replayed']]).to.deep.equal([200, 'true']);
      expect(json).to.include({ ok: true, rounds: 3 });
      expect(json.results).to.have.length(3);
      expect([asked('settled'), reached('settled')]).to.deep.equal([3, 4]);
      expect(await count('settled', 'TurnAbandoned')).to.equal(0);
    });
  });

  // A separate suite, so that it runs after the other: a killed node ends all browsers.
  describe('where it is another process', () => {
    it('whose node is killed settle with what was done, and start another browser for the next message', async () => {
      const name = 'on a node that dies';
      await begin(name);
      const answer = say(name);
      await until(() => reached(name) === 4, inTime);
      await here.stack.kill('node');
      const { status, text, json } = await answer;
      expect([status, json.ok, json.rounds], text).to.deep.equal([200, false, 3]);
      expect((json.results as { kind: string }[]).map(({ kind }) => kind)).to.deep.equal([
        ...['success', 'success', 'failure'],
      ]);
      await here.stack.ready();
      expect((await answeredAgain(name)).text).to.equal(text);
      expect([asked(name), reached(name)]).to.deep.equal([3, 4]);
      const next = await agents.say(turnOf(name).id, 'go to http://sim.test/');
      expect([next.status, next.json.ok], next.text).to.deep.equal([200, true]);
    });

    it('whose event store is killed settle once it is back, or are lost, and either way do nothing twice', async () => {
      const name = 'without a log';
      await begin(name);
      const answer = say(name);
      await until(() => reached(name) === 4, inTime);
      await here.stack.kill('event-store');
      const { status, text } = await answer;
      expect(status, text).to.be.oneOf([200, 503]);
      const ends = async () => (await count(name, 'TurnSettled')) - 1 + (await count(name, 'TurnAbandoned'));
      await until(async () => (await ends()) === 1, inTime);
      const again = await answeredAgain(name);
      // The 503 is stored if the store was back in time for it; otherwise the key waits for the turn's end.
      expect(again.status, again.text).to.be.oneOf(status === 200 ? [200] : [409, 503]);
      expect([asked(name), reached(name), await ends()]).to.deep.equal([3, 4, 1]);
    });
  });

  // A separate suite, so that it runs last.
  describe('after all of this', () => {
    it('have had no intent that reached a browser twice, and no receipt that was settled twice', async () => {
      expect(here.repeated()).to.deep.equal([]);
      const settled = (await here.eventsUnder('receipt')).filter(({ type }) => type === 'ReceiptSettled');
      expect(new Set(settled.map(({ stream }) => stream)).size).to.equal(settled.length);
    });
  });
});
