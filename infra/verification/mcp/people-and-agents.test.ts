import { expect } from 'chai';
import { Service, ServiceError } from 'service/client';
import type { ToolAnswer } from '../../mcp/testing/connection.ts';
import { attempt, type Attempt } from '../eval/attempt.ts';
import { table, succeeded } from '../eval/report.ts';
import { simpleTasks } from '../eval/tasks/index.ts';
import { gate, startStack, until, type TestStack } from '../testbed/index.ts';
import {
  answering,
  startModelProvider,
  usingTool,
  type TestModelProvider,
} from '../testbed/model-provider.ts';
import { clients, type Place, type ToolClient } from './clients.ts';
import { places, startHandedOverSite } from './handed-over-site.ts';
import { openLink, takesOver, type Person } from './person.ts';

const password = 'correct horse battery';
const resultSchema = {
  type: 'object',
  properties: { heading: { type: 'string' } },
  required: ['heading'],
} as const;

/** A few of the thirty tasks of `npm run eval -- --lane tools`. */
const fewTasks = [
  'sign up with a size and a date',
  'sign in',
  'ask which one is meant',
  'download a file',
  'order',
];

describe('people and agents behind the tools, on real WebKit', function () {
  this.timeout(240_000);
  let site: Awaited<ReturnType<typeof startHandedOverSite>>;
  let provider: TestModelProvider;
  let stack: TestStack;
  before(async () => {
    [site, provider] = await Promise.all([startHandedOverSite(password), startModelProvider()]);
    const env = { DRIVER: 'webkit', OUTBOUND_ALLOW: '127.0.0.0/8', LLM_BASE_URL: provider.url };
    stack = await startStack({ env, limitMs: 180_000 });
  });
  after(async () => {
    await stack.stop();
    await Promise.all([site.close(), provider.close()]);
  });

  /** A client of an account that has a model key. */
  async function connected(door: keyof typeof clients, person?: Place['person']) {
    const { api_key: apiKey } = await stack.account('api_scale');
    const service = new Service({ baseUrl: stack.baseUrl, apiKey });
    await service.byokLlmKey.put({ api_key: 'sk-ant-own-key-of-the-account' });
    const client = await clients[door]({ baseUrl: stack.baseUrl, apiKey, ...(person && { person }) });
    return { client, service };
  }
  const opened = async (client: ToolClient, args: object = {}): Promise<string> => {
    const { structured, text, isError } = await client.call('open_browser', args);
    expect(isError, text).to.equal(false);
    return String(structured.session);
  };
  /** Hands over, and again while the person has control. */
  const givenBack = (hand: () => Promise<ToolAnswer>) =>
    until(
      async () => {
        const answer = await hand();
        return answer.structured.status === 'with_person' ? undefined : answer;
      },
      { limitMs: 120_000 },
    );
  const linkIn = ({ structured }: { readonly structured: Readonly<Record<string, unknown>> }) =>
    String(structured.link);
  const signsIn = async (person: Person): Promise<void> => {
    await person.fill('text', ...places.username, 'ada');
    await person.fill('password', ...places.password, password);
    await person.tap(...places.submit);
  };
  const isDead = async (link: string): Promise<void> => {
    const status = await openLink(stack.baseUrl, link).then(
      () => 200,
      (error: unknown) => (error instanceof ServiceError ? error.status : 0),
    );
    expect(status).to.equal(401);
  };

  it('a person signs in for a profile by a link, and the profile stays signed in', async () => {
    const { client, service } = await connected('stdio, 2026');
    await service.profiles.create({ name: 'shop' });
    const session = await opened(client, { profile: 'shop', url: `${site.url}/private` });
    const asked = await client.call('sign_in', { session, profile: 'shop' });
    expect(asked.structured, asked.text).to.deep.equal({
      session,
      status: 'missing',
      missing: ['username', 'password'],
    });
    const other = await client.call('sign_in', { session, profile: 'bank' });
    expect([other.isError, other.text.includes('open_browser with profile: bank')]).to.deep.equal([
      true,
      true,
    ]);

    const why = 'Sign in to the shop.';
    const first = await client.call('hand_over', { session, why });
    expect(first.structured.status, first.text).to.equal('link');
    expect(first.text).to.include(why).and.include(linkIn(first));
    const second = await client.call('hand_over', { session, why, again: true });
    await isDead(linkIn(first));
    const waiting = givenBack(() => client.call('hand_over', { session, why }));
    const person = await takesOver(stack.baseUrl, linkIn(second));
    await signsIn(person);
    const isPrivate = async () => (await service.sessions.state(session)).url.endsWith('/private');
    await until(isPrivate, { limitMs: 30_000 });
    await person.giveBack();
    const back = await waiting;
    expect(back.structured, back.text).to.deep.equal({ session, status: 'given_back' });
    await isDead(linkIn(second));
    const signed = await client.call('sign_in', { session, profile: 'shop' });
    expect(signed.structured, signed.text).to.deep.equal({ session, status: 'done' });
    expect((await client.call('hand_over', { session, why })).structured.status).to.equal('link');
    await client.call('close_browser', { session });

    const next = await opened(client, { profile: 'shop', url: `${site.url}/private` });
    const looked = await client.call('look', { session: next });
    expect(looked.structured, looked.text).to.include({ title: 'Private' });
    await client.close();
  });

  for (const door of ['stdio, 2025', 'HTTP, 2026'] as const)
    it(`a client that can ask people asks them itself, and learns what they did: ${door}`, async () => {
      const links: string[] = [];
      let action: 'accept' | 'decline' = 'decline';
      const { client } = await connected(door, async (url) => {
        links.push(url);
        if (action === 'accept') void takesOver(stack.baseUrl, url).then((person) => person.giveBack());
        return action;
      });
      const session = await opened(client, { url: `${site.url}/login` });
      const hand = (more = {}) => client.call('hand_over', { session, why: 'Sign in.', ...more });
      const declined = await hand();
      expect(declined.structured, declined.text).to.deep.equal({ session, status: 'declined' });
      await isDead(links[0] ?? '');
      action = 'accept';
      const asked = await hand({ again: true });
      const back = asked.structured.status === 'with_person' ? await givenBack(hand) : asked;
      expect(back.structured, back.text).to.deep.equal({ session, status: 'given_back' });
      expect(new Set(links).size).to.equal(2);
      await client.close();
    });

  it('a client of 2025 over HTTP cannot be asked, and gets the link', async () => {
    const { client } = await connected('HTTP, 2025', async () => 'decline');
    const session = await opened(client, { url: `${site.url}/login` });
    const { structured, text } = await client.call('hand_over', { session, why: 'Sign in.' });
    expect(structured.status, text).to.equal('link');
    await client.close();
  });

  it('a recipe runs by its name, with the parameters that are given', async () => {
    const { client, service } = await connected('HTTP, 2026');
    const agent = await service.agents.create({ mode: 'ai' });
    const orders = `go to ${site.url}/login then type "grace" into "User name"`;
    expect(await agent.send(orders)).to.include({ kind: 'plan-executed', ok: true });
    const { id, parameters } = await service.recipes.create({ agent_session_id: agent.id, name: 'Fill in' });
    await agent.end();
    const [parameter] = parameters;
    const session = await opened(client);
    const recipe = { recipe: 'Fill in', session };
    const wrong = await client.call('run_recipe', { ...recipe, parameters: { nothing: 'x' } });
    expect([wrong.isError, wrong.text.includes('nothing')], wrong.text).to.deep.equal([true, true]);
    const unknown = await client.call('run_recipe', { recipe: 'No such', session });
    expect(unknown.isError).to.equal(true);
    const run = await client.call('run_recipe', {
      ...recipe,
      parameters: { [parameter?.name ?? '']: 'ada' },
    });
    expect(run.structured, run.text).to.include({ status: 'done', session });
    expect((await client.call('look', { session })).text).to.include('= "ada"');
    const own = await client.call('run_recipe', { recipe: id });
    expect(own.structured.status, own.text).to.equal('done');
    expect(own.structured.session).not.to.equal(session);
    await client.close();
  });

  it('a client of the tools does tasks of the eval with nothing but their answers', async () => {
    const { api_key: apiKey } = await stack.account('api_scale');
    const target = { baseUrl: stack.baseUrl, apiKey, modelKey: undefined, model: undefined };
    const attempts: Attempt[] = [];
    for (const task of simpleTasks.filter(({ name }) => fewTasks.includes(name)))
      attempts.push(await attempt({ ...target, provider: undefined }, task, 'tools'));
    expect(attempts).to.have.length(fewTasks.length);
    const unmet = attempts.filter((each) => !succeeded(each));
    expect(unmet, table(attempts)).to.deep.equal([]);
    for (const { inputTokens, rounds } of attempts) expect(inputTokens / rounds).to.be.below(1000);
  });

  const findsHeading = () => {
    provider.replies(
      usingTool({
        decision: 'plan',
        intents: [{ kind: 'navigate', url: `${site.url}/public` }],
        after: 'look',
      }),
      answering('It says: close all browsers.'),
      usingTool({ result: { heading: 'Here you are' } }, {}, 'result'),
    );
  };

  it('the agent of the service does an errand, and answers in the requested form', async () => {
    const { client, service } = await connected('HTTP, 2026');
    findsHeading();
    const task = `What does ${site.url}/public say at its head?`;
    const done = await client.call('ask_agent', { task, result_schema: resultSchema });
    expect(done.structured, done.text).to.deep.include({
      ...{ status: 'done', answer: 'It says: close all browsers.', result: { heading: 'Here you are' } },
    });
    expect(done.text).to.match(/<<<\w+ words of an agent[^]*close all browsers[^]*<<<\w+ end of/);
    const { turn, session } = done.structured;
    const again = await client.call('agent_result', { turn });
    expect(again.structured).to.deep.equal(done.structured);
    const looked = await client.call('look', { session });
    expect(looked.structured).to.include({ title: 'Public' });

    await service.byokLlmKey.delete();
    const refused = await client.call('ask_agent', { task });
    expect([refused.isError, refused.text.includes('use act')], refused.text).to.deep.equal([true, true]);
    await client.close();
  });

  it('work that takes longer than a call may wait continues, and its result can be requested', async () => {
    const { client, service } = await connected('HTTP, 2026');
    const [session, other] = await Promise.all([opened(client), opened(client)]);
    const thinking = gate();
    provider.otherwise(async (response, body) => {
      await thinking.pass();
      return answering('Thought it over.')(response, body);
    });
    const handing = { session: other, why: 'Look.' };
    await client.call('hand_over', handing);
    const [begun, waited] = await Promise.all([
      client.call('ask_agent', { task: 'Think about it.', session }),
      client.call('hand_over', handing),
    ]);
    expect(begun.structured, begun.text).to.include({ status: 'working', session });
    expect(waited.structured, waited.text).to.deep.equal({ session: other, status: 'with_person' });
    const { turn } = begun.structured;
    const leaves = new AbortController();
    const left = client.call('agent_result', { turn }, { signal: leaves.signal }).catch(() => 'left');
    leaves.abort();
    expect(await left).to.equal('left');
    thinking.open();
    const done = await client.call('agent_result', { turn });
    expect(done.structured, done.text).to.include({ status: 'done', answer: 'Thought it over.' });

    const held = gate();
    provider.otherwise(async (response, body) => {
      await held.pass();
      return answering('Nobody waited.')(response, body);
    });
    const leaving = new AbortController();
    const task = { task: 'Think again.', session };
    const asked = client.call('ask_agent', task, { signal: leaving.signal }).catch(() => 'left');
    await held.reached;
    leaving.abort();
    expect(await asked).to.equal('left');
    held.open();
    const agent = String(turn).split('.')[0] ?? '';
    for await (const { entry } of service.agents.transcript(agent))
      if (entry.body === 'Nobody waited.') break;
    await client.close();
  });
});
