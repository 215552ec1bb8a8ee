import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import type { Intent, Plan } from '../../contracts/resources/agent-turn.ts';
import { ProviderUnavailable } from '../../infra/model/port.ts';
import { ScriptedModel, startAgents, used, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
const open: Intent = { kind: 'navigate', url: 'http://sim.test/' };
const planned = (more: object = {}): Plan => ({
  ...{ decision: 'plan', intents: [open], readBack: false },
  ...more,
});
const result_schema = {
  type: 'object',
  required: ['total'],
  properties: { total: { type: 'number' }, number: { type: 'string' } },
};
const byRules = 'go to http://sim.test/';
/** Takes a quarter of a second to read: each of its definitions refers to the next one twice. */
const slowSchema = (n: number): object => {
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { allOf: [next, next] }];
    }),
  );
  const $defs = { ...doubling, d30: { not: { type: 'string' } } };
  return { type: 'object', title: `no. ${n}`, allOf: [{ $ref: '#/$defs/d0' }], $defs };
};

describe('a message with a result_schema', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ model, config: { LLM_API_KEY: 'sk-ant-bundled' } });
  });
  after(() => agents.close());

  type Opened = Awaited<ReturnType<Agents['open']>>;
  const say = (
    { token, id }: Opened,
    body: Readonly<Record<string, unknown>> = {},
    headers: Record<string, string> = own,
  ) =>
    agents.side.call(`POST /v1/agent-sessions/${id}/message`, {
      ...{ token, headers },
      body: { user_message: 'what is the total?', result_schema, ...body },
    });
  const typesOf = async (opened: Opened) => (await agents.eventsOf(opened.id)).map(({ type }) => type);

  it('is answered in that form, from the last page and what was done', async () => {
    const opened = await agents.open();
    model
      .plans(planned({ after: 'look', note: 'The total was 19.90.' }))
      .plans({ decision: 'answer', answer: 'It is 19.90.' })
      .fillsIn({ result: { total: 19.9, number: 'A-1' } });
    const { json, text } = await say(opened);
    expect(json, text).to.deep.include({
      ...{ kind: 'plan-executed', ok: true, rounds: 2 },
      ...{ result: { total: 19.9, number: 'A-1' }, result_error: null },
    });
    const asked = model.asked.at(-1);
    expect(asked?.page?.title).to.equal('Simulated home');
    expect(asked?.soFar?.note).to.equal('The total was 19.90.\nIt is 19.90.');
    expect((await agents.state(opened.id)).tokensUsed).to.equal(360);
    expect((await agents.transcript(opened)).at(-1)?.body).to.equal('It is 19.90.');
    expect(await typesOf(opened)).to.include('TurnReadBack');
  });

  it('has one call that reads the page, also where the plan wants it read back', async () => {
    const opened = await agents.open();
    model.plans(planned({ readBack: true })).fillsIn({ result: { total: 1 } });
    expect((await say(opened)).json).to.deep.include({ ok: true, result: { total: 1 } });
  });

  const unfilled: readonly (readonly [what: string, script: () => unknown, error: RegExp, more: object])[] = [
    [
      'what the model gives does not fit',
      () => model.plans(planned()).fillsIn({ fault: '/total must be number' }),
      /^The model gave no result that matches the schema: \/total must be number$/,
      { ok: true },
    ],
    [
      'the provider is down',
      () => model.plans(planned()).fillsIn(new ProviderUnavailable('down', 1, used)),
      /^The model provider could not be asked/,
      { ok: true },
    ],
    [
      'it is not done',
      () => model.plans(planned({ after: 'look' })).plans({ decision: 'refuse', reason: 'No.' }),
      /^The message was not carried out/,
      { kind: 'plan-executed', ok: false, refuse_reason: 'No.' },
    ],
    [
      'it is a question',
      () => model.plans({ decision: 'clarify', question: 'Which?' }),
      /^The message was not carried out/,
      { kind: 'clarify' },
    ],
    [
      'it is refused',
      () => model.plans({ decision: 'refuse', reason: 'No.' }),
      /^The message was not carried out/,
      { kind: 'refuse' },
    ],
  ];
  for (const [what, script, error, more] of unfilled)
    it(`has no result where ${what}, and says so`, async () => {
      script();
      const { json, text } = await say(await agents.open());
      expect(json, text).to.deep.include({ ...more, result: null });
      expect(json.result_error).to.match(error);
    });

  it('has no result where no budget is left', async () => {
    const opened = await agents.open({ tokenBudget: 100 });
    model.plans(planned());
    expect((await say(opened)).json.result_error).to.match(/^The token budget/);
    const closed = await say(opened);
    expect(closed.json, closed.text).to.deep.include({ kind: 'refuse', result: null });
  });

  it('is carried out by the grammar, and asks a model for the result alone', async () => {
    const opened = await agents.open();
    model.fillsIn({ result: { total: 5 } });
    const { json, text } = await say(opened, { user_message: byRules });
    expect(json, text).to.deep.include({ ok: true, result: { total: 5 }, result_error: null });
    expect(json.usage).to.deep.equal({ decomposer_kind: 'deterministic' });
    expect((await agents.state(opened.id)).tokensUsed).to.equal(120);
    const failing = await say(opened, { user_message: 'tap "Nowhere"' });
    expect(failing.json).to.deep.include({ ok: false, result: null });
  });

  it('does nothing without a key for the model that is to fill it in', async () => {
    const opened = await agents.open();
    const { status } = await say(opened, { user_message: byRules }, {});
    expect(status).to.equal(402);
    expect(await typesOf(opened)).not.to.include('IntentSettled');
  });

  it('has neither field in the answers of others, and none in manual mode', async () => {
    const plain = await say(await agents.open(), { user_message: byRules, result_schema: undefined });
    expect(plain.json).not.to.have.any.keys('result', 'result_error');
    const manual = await say(await agents.open({ mode: 'manual' }));
    expect(Object.keys(manual.json)).to.deep.equal(['kind', 'session']);
  });

  it('has the result in its stream, in its receipt, and sealed in the log', async () => {
    const opened = await agents.open();
    model.plans(planned()).fillsIn({ result: { total: 7, number: 'canary-1f0a' } });
    const keyed = { ...own, 'idempotency-key': 'once' };
    const first = await say(opened, {}, keyed);
    const again = await say(opened, {}, { ...keyed, accept: 'text/event-stream' });
    expect(again.text).to.contain(`{"status":200,"body":${first.text}}`);
    const other = await say(opened, { result_schema: { ...result_schema, required: [] } }, keyed);
    expect(other.status).to.equal(409);
    const events = await agents.side.events(`agent_session-${uuidOf(opened.id)}`);
    const log = JSON.stringify(events, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(log).not.to.contain('canary-1f0a');
  });

  it('has nothing secret in its result', async () => {
    const opened = await agents.open();
    const canary = 'canary-77c3-hidden';
    model.plans(planned()).fillsIn({ result: { total: 1, number: canary } });
    const { json, text } = await say(opened, { variables: { key: { value: canary } } });
    expect(json.result, text).to.deep.equal({ total: 1, number: '[hidden]' });
  });

  it('has its answer again also where no more schemas are read, which others are told by a real 429', async () => {
    const opened = await agents.open();
    const keyed = { ...own, 'idempotency-key': 'late' };
    model.plans(planned()).fillsIn({ result: { total: 7 } });
    const first = await say(opened, {}, keyed);
    const closed = await agents.open({ account: opened });
    await agents.shut(closed.id);
    // Has read none of the schemas.
    const other = await agents.side.serve();
    const send = ({ id, token }: Opened, schema: object, headers: Record<string, string>) =>
      other.call(`POST /v1/agent-sessions/${id}/message`, {
        ...{ token, headers },
        body: { user_message: 'what is the total?', result_schema: schema },
      });
    try {
      const refusals = new Set<number>();
      for (let n = 0; n < 20 && !refusals.has(429); n += 1)
        refusals.add((await send(closed, slowSchema(n), own)).status);
      expect([...refusals]).to.deep.equal([409, 429]);
      const limited = await send(opened, slowSchema(20), { ...own, accept: 'text/event-stream' });
      expect([limited.status, limited.headers['content-type']]).to.deep.equal([
        429,
        'application/problem+json',
      ]);
      expect(Number(limited.headers['retry-after'])).to.be.above(0);
      const again = await send(opened, result_schema, keyed);
      expect([again.status, again.headers['idempotency-replayed'], again.text]).to.deep.equal([
        200,
        'true',
        first.text,
      ]);
    } finally {
      await other.close();
    }
  });

  const refused: readonly (readonly [what: string, schema: unknown, path: string])[] = [
    ['no object', 'total', '/body/result_schema'],
    ['a text at its top', { type: 'string' }, '/body/result_schema/type'],
    ['another document', { type: 'object', $ref: 'http://a.example/' }, '/body/result_schema/$ref'],
    ['too much of it', { type: 'object', title: 'x'.repeat(20_000) }, '/body/result_schema'],
    ['no end', { type: 'object', allOf: [{ $ref: '#' }] }, '/body/result_schema'],
  ];
  for (const [what, schema, path] of refused)
    it(`is refused with ${what}`, async () => {
      const opened = await agents.open();
      const { status, json } = await say(opened, { result_schema: schema });
      expect(status).to.equal(400);
      expect(json.errors).to.have.nested.property('[0].path', path);
      expect(await agents.transcript(opened)).to.deep.equal([]);
    });
});
