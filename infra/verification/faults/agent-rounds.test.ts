import { expect } from 'chai';
import type { AgentSessionId, SessionId } from '../../../contracts/ids.ts';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
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
const two = [looking(open('/')), looking(open('/form'))] as const;

/** What the provider answers to each message, round by round. */
const stories: Readonly<Record<string, readonly ModelReply[]>> = {
  thinking: [...two, silent],
  dispatched: [...two, done(long, open('/login'))],
  between: [...two, looking(open('/slow?ms=400'), open('/login'))],
  'after the round': [...two, looking(open('/login')), silent],
  settled: [...two, done(open('/slow?ms=400'))],
};

interface Turn {
  readonly id: AgentSessionId;
  readonly session: SessionId;
}

describe('Agent sessions whose write-api is killed in the third round of a turn', () => {
  let here: World;
  let provider: TestModelProvider;
  let client: Client;
  let agents: AgentClient;
  let turns: Readonly<Record<string, Turn>>;
  let cutOff: readonly unknown[];

  const turnOf = (name: string): Turn => {
    const turn = turns[name];
    if (turn === undefined) throw new Error(`There is no turn ${name}.`);
    return turn;
  };
  const asked = (message: string) =>
    provider.calls.filter(({ body }) => JSON.stringify(body.messages.at(-1)).includes(`message ${message}`))
      .length;
  const say = (name: string) => agents.sayOnce(name, turnOf(name).id, `message ${name}`);
  const count = (name: string, type: Parameters<AgentClient['count']>[1]) =>
    agents.count(turnOf(name).id, type);

  before(async () => {
    provider = await startModelProvider();
    provider.otherwise((response, body) => {
      const name =
        Object.keys(stories).find((each) => JSON.stringify(body).includes(`message ${each}`)) ?? '';
      const reply = stories[name]?.[asked(name) - 1] ?? silent;
      return reply(response, body);
    });
    here = await startWorld({ TURN_LEASE: '6s', LLM_BASE_URL: provider.url });
    client = await newClient(here.stack, 'enterprise');
    agents = agentsOf(client, here);
    const begun = Object.keys(stories).map(async (name): Promise<[string, Turn]> => {
      const id = await agents.open();
      expect((await agents.say(id, 'go to http://sim.test/account')).status).to.equal(200);
      return [name, { id, session: await agents.browserOf(id) }];
    });
    turns = Object.fromEntries(await Promise.all(begun));
    cutOff = await killInTheThird();
  });
  after(async () => {
    await here.stack.stop();
    await provider.close();
  });

  /** One kill -9, with a turn at each of the steps of its third round between which a process can die. */
  async function killInTheThird(): Promise<readonly unknown[]> {
    const { stack } = here;
    const [node, writeApi] = [stack.link('node'), stack.link('write-api')];
    const reached = (name: string) => here.reached(turnOf(name).session, 'operate');
    const answers = ['thinking', 'dispatched', 'after the round'].map((name) => outcome(say(name)));
    await until(() => asked('thinking') === 3 && asked('after the round') === 4, inTime);
    await until(() => reached('dispatched') === 4, inTime);
    answers.push(outcome(say('settled')));
    await until(() => reached('settled') === 4, inTime);
    writeApi.blackhole('answers');
    await until(async () => (await count('settled', 'TurnSettled')) === 2, inTime);
    answers.push(outcome(say('between')));
    await until(() => reached('between') === 4, inTime);
    node.blackhole('requests');
    await until(async () => (await count('between', 'IntentSettled')) === 4, inTime);
    await until(
      async () => (await here.eventsOf(turnOf('between').session)).at(-1) === 'OperationClaimed',
      inTime,
    );
    await stack.kill('write-api');
    for (const link of [node, writeApi]) link.cut();
    await stack.heal();
    await stack.ready();
    return Promise.all(answers);
  }

  it('answer nobody, and nobody is told of a success', () => {
    for (const answer of cutOff) expect(answer).to.be.oneOf(['broken', 502, 503]);
  });

  for (const [name, operations, calls, intents] of [
    ['thinking', 3, 3, 3],
    ['dispatched', 4, 3, 3],
    ['between', 4, 3, 4],
    ['after the round', 4, 4, 4],
  ] as const)
    it(`${name}: what was done stays done, nothing is done twice, and the receipt says that it is not known`, async () => {
      const { id, session } = turnOf(name);
      await until(async () => (await count(name, 'TurnAbandoned')) === 1, inTime);
      for (const answer of [await say(name), await say(name)])
        expect([answer.status, String(answer.json.type).split('/').at(-1)], answer.text).to.deep.equal([
          409,
          'conflict',
        ]);
      expect([await count(name, 'IntentSettled'), asked(name)]).to.deep.equal([intents, calls]);
      const next = await agents.say(id, 'go to http://sim.test/');
      expect([next.status, next.json.ok], next.text).to.deep.equal([200, true]);
      expect(await agents.browserOf(id)).not.to.equal(session);
      expect(here.reached(session, 'operate')).to.equal(operations);
    });

  it('settled, before the reply: its key has its answer, of all three rounds', async () => {
    const [first, second] = [await say('settled'), await say('settled')];
    expect([
      first.status,
      first.headers['idempotency-replayed'],
      first.json.ok,
      first.json.rounds,
    ]).to.deep.equal([...[200, 'true', true, 3]]);
    expect(first.json.results).to.have.length(3);
    expect([second.text, asked('settled')]).to.deep.equal([first.text, 3]);
    expect(await count('settled', 'TurnAbandoned')).to.equal(0);
  });

  it('have had no intent that reached a browser twice', () => {
    expect(here.repeated()).to.deep.equal([]);
  });
});
