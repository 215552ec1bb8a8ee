import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import type { IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { RecipeParameter, RecipeStep } from '../../contracts/resources/recipe.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { slugOf } from '../testing/agent-client.ts';
import { startAgents, type Agents } from '../testing/agents.ts';
import { aPerson, join } from '../testing/team.ts';

type Opened = Awaited<ReturnType<Agents['open']>>;
type Owner = Pick<Opened, 'token'>;

const canary = 'canary-7d1f';
const errand =
  'go to http://sim.test/form then type "Ada L." into selector #name then type password "canary-7d1f" into selector #file then tap "Send"';
/** The steps of the errand. */
const steps: readonly RecipeStep[] = [
  { kind: 'navigate', url: 'http://sim.test/form' },
  {
    kind: 'interact',
    action: { kind: 'type', text: { parameter: 'name' }, selector: '#name' },
    target: { selector: '#name', text: '', role: 'textbox' },
  },
  {
    kind: 'interact',
    action: { kind: 'type', text: { parameter: 'file' }, sensitive: true, selector: '#file' },
    target: { selector: '#file', text: '', role: 'textbox' },
  },
  {
    kind: 'interact',
    action: { kind: 'tap', selector: '#send' },
    target: { selector: '#send', text: 'Send', role: 'button' },
  },
];
const parameters: readonly RecipeParameter[] = [
  { name: 'name', type: 'string', sensitive: false, default: 'Ada L.' },
  { name: 'file', type: 'string', sensitive: true },
];

describe('recipes over HTTP', () => {
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ turnSettings: { healAfterMs: 100 } });
  });
  after(() => agents.close());

  const suggestion = ({ token }: Owner, id: string) =>
    agents.side.call(`GET /v1/agent-sessions/${id}/recipe-suggestion`, { token });
  const save = ({ token }: Owner, body: object, headers: Record<string, string> = {}) =>
    agents.side.call('POST /v1/recipes', { token, body, headers });
  const run = (
    { token, id }: Pick<Opened, 'token' | 'id'>,
    body: object,
    headers: Record<string, string> = {},
  ) =>
    agents.side.call(`POST /v1/agent-sessions/${id}/message`, {
      ...{ token, headers },
      body: { user_message: 'Do it again.', ...body },
    });
  const done = async (said = errand): Promise<Opened> => {
    const opened = await agents.open();
    const answer = await agents.message(opened, said);
    expect(answer.json.ok, answer.text).to.equal(true);
    return opened;
  };
  const saved = async (opened: Opened, body: object = {}) => {
    const answer = await save(opened, { agent_session_id: opened.id, ...body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.json as { id: string; source_hash: string };
  };
  const results = ({ json }: Answer) => json.results as readonly IntentResult[];

  it('are suggested from what was carried out, with what was typed as parameters', async () => {
    const opened = await done();
    const { status, json } = await suggestion(opened, opened.id);
    expect(status).to.equal(200);
    const suggested = json.suggestion as Record<string, unknown>;
    expect(suggested.source_hash).to.match(/^[0-9a-f]{64}$/);
    expect(json).to.deep.equal({
      suggestion: {
        ...{ agent_session_id: opened.id, steps, parameters, omitted: 0 },
        ...{ source: { from_index: 0, to_index: 1 }, source_hash: suggested.source_hash },
      },
    });
  });

  it('are not suggested where nothing was carried out, which is said', async () => {
    const opened = await agents.open();
    const { status, json } = await suggestion(opened, opened.id);
    expect([status, json.suggestion]).to.deep.equal([200, null]);
    expect(json.reason).to.match(/\S/);
    expect(slugOf(await save(opened, { agent_session_id: opened.id }))).to.equal('conflict');
  });

  it('are saved with their body sealed', async () => {
    const opened = await done();
    const { json, status } = await save(opened, {
      ...{ agent_session_id: opened.id, name: 'Send the form', description: 'Every Monday' },
    });
    expect(status).to.equal(201);
    const { id, source_hash, created_at, archetype, ...recipe } = json;
    expect(id).to.match(/^rec_[0-9a-f-]{36}$/);
    expect(source_hash).to.match(/^[0-9a-f]{64}$/);
    expect(archetype).to.match(/\S/);
    expect(recipe).to.deep.equal({
      ...{
        name: 'Send the form',
        description: 'Every Monday',
        agent_session_id: opened.id,
        steps,
        parameters,
      },
      ...{ source: { from_index: 0, to_index: 1 }, version: 1, updated_at: created_at },
    });
    const events = await agents.side.events(`recipe-${uuidOf(String(id))}`);
    expect(events.map(({ type }) => type)).to.deep.equal(['RecipeCreated']);
    // Texts that do not occur by chance in sealed data.
    expect(JSON.stringify(events.map(({ data }) => data))).not.to.match(/Ada L\.|Monday|#send/);
  });

  it('run with other values, without a model and at no cost', async () => {
    const first = await done();
    const { id } = await saved(first);
    const again = await agents.open({ account: first });
    const answer = await run(again, { recipe_id: id, parameters: { name: 'Grace', file: canary } });
    expect([answer.status, answer.json.ok], answer.text).to.deep.equal([200, true]);
    expect(answer.json.usage).to.deep.equal({ decomposer_kind: 'deterministic' });
    expect(answer.text).to.contain('Grace').and.not.contain('Ada L.').and.not.contain(canary);
    expect(results(answer)).to.have.length(4);
  });

  it('keep a sensitive value nowhere', async () => {
    const first = await done();
    const { id } = await saved(first);
    const answers = [
      await run(first, { recipe_id: id, parameters: { file: canary }, user_message: `with ${canary}` }),
      await run(first, { recipe_id: id, parameters: { file: canary, name: 5 } }),
      await run(first, { recipe_id: id, parameters: { file: [canary] } }),
      await suggestion(first, first.id),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 400, 400, 200]);
    expect(answers.map(({ text }) => text).join('\n')).not.to.contain(canary);
    expect((await agents.sealed(first)).join('\n')).not.to.contain(canary);
  });

  it('find an element by its text when its selector is gone', async () => {
    const first = await done('go to http://sim.test/form then tap "Send"');
    const stale = [
      { kind: 'navigate', url: 'http://sim.test/form' },
      {
        kind: 'interact',
        action: { kind: 'tap', selector: '#submit-v1' },
        target: { selector: '#submit-v1', text: 'Send', role: 'link' },
      },
    ];
    const { id } = await saved(first, { steps: stale });
    const again = await agents.open({ account: first });
    const answer = await run(again, { recipe_id: id });
    expect(results(answer).map((each) => 'healed' in each && each.healed)).to.deep.equal([false, true]);
    expect((await agents.transcript(again)).at(-1)?.body).to.match(/#submit-v1.* Found by its name: /);
    const { json } = await suggestion(again, again.id);
    const healed = (json.suggestion as { steps: RecipeStep[] }).steps[1];
    expect(healed?.action).to.deep.equal({ kind: 'tap', selector: '#send' });
  });

  it('have as long for a step whose element is there as any step has', async () => {
    const first = await done();
    const action = { kind: 'type', selector: '#name', text: 'x'.repeat(20), delay_ms: 20 };
    const target = { selector: '#name', text: 'Name', role: 'textbox' };
    const { id } = await saved(first, { steps: [steps[0], { kind: 'interact', action, target }] });
    const answer = await run(first, { recipe_id: id });
    expect(answer.json.ok, answer.text).to.equal(true);
    expect(results(answer)[1]).not.to.have.property('healed');
  });

  it('fail as any step does where nothing fits', async () => {
    const first = await done('go to http://sim.test/form then tap "Send"');
    const gone = { kind: 'interact', action: { kind: 'tap', selector: '#gone' } };
    const { id } = await saved(first, {
      steps: [{ ...gone, target: { selector: '#gone', text: 'Buy', role: 'button' } }],
    });
    const answer = await run(first, { recipe_id: id });
    expect([answer.status, answer.json.ok]).to.deep.equal([200, false]);
    expect(results(answer)[0]).to.deep.include({ kind: 'failure' });
  });

  const wrong: readonly (readonly [string, object, string])[] = [
    ['a sensitive one is missing', {}, 'file'],
    ['one is unknown', { file: 'x', colour: 'red' }, 'colour'],
    ['one is of another type', { file: 'x', name: true }, 'name'],
  ];
  for (const [what, given, name] of wrong)
    it(`are not run when of the parameters ${what}`, async () => {
      const opened = await done();
      const { id } = await saved(opened);
      const before = await agents.typesOf(opened.id);
      const answer = await run(opened, { recipe_id: id, parameters: given });
      expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'validation-failed']);
      expect(answer.json.errors).to.have.nested.property('[0].path', `/body/parameters/${name}`);
      expect(await agents.typesOf(opened.id)).to.deep.equal(before);
    });

  it('need a default, or a value, for each parameter', async () => {
    const opened = await done();
    const typing = {
      kind: 'interact',
      action: { kind: 'type', selector: '#name', text: { parameter: 'who' } },
    };
    const { id } = await saved(opened, { steps: [typing] });
    expect((await run(opened, { recipe_id: id })).status).to.equal(400);
    expect(results(await run(opened, { recipe_id: id, parameters: { who: 'Ada' } }))).to.have.length(1);
  });

  it('are not to be found by others, nor once they are deleted', async () => {
    const opened = await done();
    const { id } = await saved(opened);
    const other = await agents.open();
    expect((await run(other, { recipe_id: id })).status).to.equal(404);
    expect((await run(opened, { recipe_id: 'rec_none' })).status).to.equal(404);
    const remove = ({ token }: Owner) => agents.side.call(`DELETE /v1/recipes/${id}`, { token });
    expect((await remove(other)).status).to.equal(404);
    expect((await remove(opened)).status).to.equal(204);
    expect((await remove(opened)).status).to.equal(204);
    expect((await remove(other)).status).to.equal(404);
    expect((await run(opened, { recipe_id: id, parameters: { file: 'x' } })).status).to.equal(404);
  });

  it('run when the agent session that they came from is closed', async () => {
    const first = await done();
    const { id } = await saved(first);
    await agents.shut(first.id);
    expect((await suggestion(first, first.id)).json.suggestion).not.to.equal(null);
    const again = await agents.open({ account: first });
    const answer = await run(again, { recipe_id: id, parameters: { file: 'x' } });
    expect(answer.json.ok, answer.text).to.equal(true);
  });

  it('are part of what a message under a key is', async () => {
    const opened = await done();
    const { id } = await saved(opened);
    const key = { 'idempotency-key': '0197f1a0-0000-7000-8000-00000000aaaa' };
    const given = { recipe_id: id, parameters: { file: 'x', name: 'Grace' } };
    const [first, again] = [await run(opened, given, key), await run(opened, given, key)];
    expect(again.text).to.equal(first.text);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    const other = await run(opened, { ...given, parameters: { file: 'x', name: 'Edith' } }, key);
    expect([other.status, slugOf(other)]).to.deep.equal([409, 'conflict']);
  });

  it('give no values without a recipe to give them to', async () => {
    const opened = await agents.open();
    expect((await run(opened, { parameters: { name: 'x' } })).status).to.equal(400);
  });

  const refused: readonly (readonly [string, object])[] = [
    [
      'a sensitive text',
      { kind: 'interact', action: { kind: 'type', selector: '#p', text: 'x', sensitive: true } },
    ],
    [
      'a text for what is called a password',
      { kind: 'interact', action: { kind: 'type', label: 'Password', text: 'x' } },
    ],
    ['an action that is none', { kind: 'interact', action: { kind: 'dance' } }],
    ['a placeholder where no value goes', { kind: 'scroll', direction: { parameter: 'where' } }],
  ];
  for (const [what, step] of refused)
    it(`are not saved with ${what} among their steps`, async () => {
      const opened = await done();
      const answer = await save(opened, { agent_session_id: opened.id, steps: [step] });
      expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'validation-failed']);
    });

  it('may come of a team’s agent session for its admins, not for its members, and are the caller’s own', async () => {
    const [owner, admin, member] = await Promise.all([
      aPerson(agents.side),
      aPerson(agents.side),
      aPerson(agents.side),
    ]);
    await join(agents.side, owner, admin, 'admin');
    await join(agents.side, owner, member, 'member');
    const opened = await agents.open({ account: owner });
    await agents.message(opened, errand);
    const body = { agent_session_id: opened.id };
    const byMember = await save(member, body);
    expect([byMember.status, slugOf(byMember)]).to.deep.equal([403, 'forbidden']);
    expect((await save(await aPerson(agents.side), body)).status).to.equal(404);
    expect((await save(owner, { agent_session_id: 'agt_none' })).status).to.equal(404);
    const acting = { 'x-service-account': owner.accountId };
    const byAdmin = await save(admin, body, acting);
    expect(byAdmin.status, byAdmin.text).to.equal(201);
    const recipe_id = String(byAdmin.json.id);
    const given = { recipe_id, parameters: { file: 'x' } };
    expect((await run({ ...opened, token: owner.token }, given)).status).to.equal(404);
    const ran = await run({ ...opened, token: admin.token }, given, acting);
    expect([ran.status, ran.json.ok], ran.text).to.deep.equal([200, true]);
    await agents.side.staff.accounts.suspend(owner.accountId, 'unpaid', agents.side.staff.context());
    expect(slugOf(await save(admin, body))).to.equal('forbidden');
  });
});
