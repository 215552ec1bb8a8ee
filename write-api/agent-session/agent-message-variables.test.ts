import { expect } from 'chai';
import type { Intent, IntentResult, MessageAnswer, Plan } from '../../contracts/resources/agent-turn.ts';
import { slugOf } from '../testing/agent-client.ts';
import { ScriptedModel, startAgents, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
/** Contains letters that occur in no id. */
const trace = 'ryqxz';
const canary = `canary-${trace}-Ünïcode-密码-🔑`;
const type = (variable: string, selector = '#name'): Intent => ({
  kind: 'interact',
  action: { kind: 'type', selector, variable },
});
const open = (path: string): Intent => ({ kind: 'navigate', url: `http://sim.test${path}` });
const planned = (intents: readonly Intent[], more: object = {}): Plan => ({
  ...{ decision: 'plan', intents: [...intents], readBack: false },
  ...more,
});
type Executed = Extract<MessageAnswer, { kind: 'plan-executed' }>;
type Failure = Extract<IntentResult, { kind: 'failure' }>;

describe('variables of a message', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ model });
  });
  after(() => agents.close());

  type Opened = Awaited<ReturnType<Agents['open']>>;
  const say = (
    { token, id }: Opened,
    body: Readonly<Record<string, unknown>>,
    headers: Record<string, string> = own,
  ) =>
    agents.side.call(`POST /v1/agent-sessions/${id}/message`, {
      ...{ token, headers },
      body: { user_message: 'send {name}', ...body },
    });
  const variables = { name: { value: canary } };
  const everything = async (opened: Opened): Promise<string> =>
    JSON.stringify(
      [await agents.eventsOf(opened.id), await agents.sealed(opened), await agents.transcript(opened)],
      (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );

  it('are typed by a plan, and a model is sent only their names', async () => {
    const opened = await agents.open();
    model
      .plans(planned([open('/form'), type('name')], { after: 'look' }))
      .plans(planned([open(`/counter?for=${encodeURIComponent(canary)}`)], { after: 'look', note: canary }))
      .plans({ decision: 'answer', answer: `It was sent as ${canary}.` });
    const { status, text, json } = await say(opened, {
      variables,
      user_message: `send {name}, not ${canary}`,
    });
    expect(status, text).to.equal(200);
    const { results, intents } = json as unknown as Executed;
    const shown = {
      ...type('name'),
      action: { kind: 'type', selector: '#name', variable: 'name', sensitive: true },
    };
    expect([intents[1], results[1]?.kind, results[1]?.intent]).to.deep.equal([shown, 'success', shown]);
    const asked = model.asked.slice(-3);
    expect(asked.map(({ variables: names }) => names)).to.deep.equal([['name'], ['name'], ['name']]);
    expect(asked[1]?.page?.elements.find(({ role }) => role === 'textbox')?.value).to.equal(undefined);
    expect(asked[2]?.page?.url).to.equal('http://sim.test/counter?for=[hidden]');
    for (const each of [JSON.stringify(asked), text, await everything(opened)])
      expect(each).not.to.contain(trace);
    expect((await agents.transcript(opened)).at(-1)?.body).to.equal('It was sent as [hidden].');
  });

  it('reach the page as they are, of every kind of letter and length', async () => {
    const values = [canary, 'a', 'the', '1', '', ' two\nlines ', 'مرحبا', '👩‍👩‍👧', 'x'.repeat(10_000)];
    for (const value of values) {
      const opened = await agents.open();
      model
        .plans(planned([open('/form'), type('name')], { after: 'look' }))
        .plans({ decision: 'answer', answer: 'Done: a form of 1 field, and the page is whole.' });
      const { status, text } = await say(opened, { variables: { name: { value, sensitive: false } } });
      expect(status, text).to.equal(200);
      const field = model.asked.at(-1)?.page?.elements.find(({ role }) => role === 'textbox');
      expect(field?.value, value.slice(0, 20)).to.equal(value.slice(0, 300));
    }
  });

  it('of which a plan names another are a step that fails', async () => {
    const opened = await agents.open();
    model
      .plans(planned([open('/form'), type('password')]))
      .plans({ decision: 'answer', answer: 'There is no such variable.' });
    const { results } = (await say(opened, { variables })).json as unknown as Executed;
    const failure = results[1] as Failure;
    expect(failure.diagnosis).to.deep.equal({ category: 'invalid_request', retryable: false });
    expect(failure.reason).to.equal('The message has no variable "password".');
    expect(await agents.sealed(opened)).to.have.length.above(0);
  });

  it('are typed by the grammar, without a model', async () => {
    const opened = await agents.open();
    const user_message = 'go to http://sim.test/form then type variable "name" into selector #name';
    const { json, text } = await say(opened, { variables, user_message }, {});
    expect(json).to.include({ kind: 'plan-executed', ok: true });
    expect(json.usage).to.include({ decomposer_kind: 'deterministic' });
    expect(`${text}${await everything(opened)}`).not.to.contain(trace);
  });

  it('are kept with a message of manual mode by name alone', async () => {
    const opened = await agents.open({ mode: 'manual' });
    const { json } = await say(opened, { variables, user_message: `typed ${canary} by hand` });
    expect(json.kind).to.equal('logged-manual');
    expect((await agents.transcript(opened)).map(({ body }) => body)).to.deep.equal([
      'typed [hidden] by hand',
    ]);
  });

  it('are a part of what a repeated request is compared by', async () => {
    const opened = await agents.open();
    const keyed = { ...own, 'idempotency-key': 'once' };
    model.plans(planned([open('/form'), type('name')]));
    const first = await say(opened, { variables }, keyed);
    const again = await say(opened, { variables: { name: { value: canary } } }, keyed);
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    for (const other of [{ name: { value: `${canary}!` } }, { mail: { value: canary } }, {}]) {
      const { status, text } = await say(opened, { variables: other }, keyed);
      expect([status, text.includes(trace)]).to.deep.equal([409, false]);
    }
  });

  it('become the parameters of a recipe, which runs with other values and no model', async () => {
    const opened = await agents.open();
    const given = { userName: { value: 'Ada L.', sensitive: false }, password: { value: canary } };
    model.plans(planned([open('/login'), type('userName', '#username'), type('password', '#password')]));
    expect((await say(opened, { variables: given })).json.ok).to.equal(true);
    const saved = await agents.side.call('POST /v1/recipes', {
      token: opened.token,
      body: { agent_session_id: opened.id },
    });
    expect(saved.status, saved.text).to.equal(201);
    expect(saved.json.parameters).to.deep.equal([
      { name: 'userName', type: 'string', sensitive: false },
      { name: 'password', type: 'string', sensitive: true },
    ]);
    const run = (parameters: object) =>
      say(opened, { user_message: 'Again.', recipe_id: saved.json.id, parameters }, {});
    const again = await run({ userName: 'Grace', password: `another-canary-${trace}` });
    expect(again.json, again.text).to.include({ kind: 'plan-executed', ok: true });
    expect((await run({ userName: 'Grace' })).json.errors).to.have.nested.property(
      '[0].path',
      '/body/parameters/password',
    );
    expect(`${saved.text}${again.text}${await everything(opened)}`).not.to.contain(trace);
  });

  const refused: readonly (readonly [what: string, variables: unknown, path: string])[] = [
    ['a name with a blank', { 'pass word': { value: 'x' } }, '/body/variables/pass word'],
    ['a name that begins with a digit', { '1st': { value: 'x' } }, '/body/variables/1st'],
    ['a name of 65 letters', { ['n'.repeat(65)]: { value: 'x' } }, `/body/variables/${'n'.repeat(65)}`],
    ['no name', { '': { value: 'x' } }, '/body/variables/'],
    [
      'more than 50',
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`v${index}`, { value: 'x' }])),
      '/body/variables',
    ],
    ['no object', [{ value: 'x' }], '/body/variables'],
    ['a bare text', { name: canary }, '/body/variables/name'],
    ['no value', { name: {} }, '/body/variables/name/value'],
    ['a number', { name: { value: 1 } }, '/body/variables/name/value'],
    ['no yes or no', { name: { value: canary, sensitive: 'yes' } }, '/body/variables/name/sensitive'],
    ['another field', { name: { value: canary, secret: true } }, '/body/variables/name/secret'],
    ['10,001 characters', { name: { value: 'x'.repeat(10_001) } }, '/body/variables/name/value'],
    ['a NUL', { name: { value: `${canary}\0` } }, '/body/variables/name/value'],
    ['half of a pair', { name: { value: `${canary}\ud83d` } }, '/body/variables/name/value'],
  ];
  for (const [what, given, path] of refused)
    it(`are refused with ${what}`, async () => {
      const opened = await agents.open();
      const { status, json, text } = await say(opened, { variables: given });
      expect([status, slugOf({ json } as Parameters<typeof slugOf>[0])]).to.deep.equal([
        400,
        'validation-failed',
      ]);
      const paths = (json.errors as { path: string }[]).map((each) => each.path);
      expect(paths).to.deep.equal([path]);
      expect(text).not.to.contain(trace);
      expect(await agents.transcript(opened)).to.deep.equal([]);
    });

  it('are refused beside a recipe', async () => {
    const { status, json } = await say(await agents.open(), { variables, recipe_id: 'rec_x' });
    expect([status, json.errors]).to.have.nested.property('[1][0].path', '/body/variables');
    expect(status).to.equal(400);
  });
});
