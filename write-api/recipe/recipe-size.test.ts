import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { slugOf } from '../testing/agent-client.ts';
import { startAgents, type Agents } from '../testing/agents.ts';

type Opened = Awaited<ReturnType<Agents['open']>>;

const form = { kind: 'navigate', url: 'http://sim.test/form' };
const typing = (text: unknown) => ({ kind: 'interact', action: { kind: 'type', selector: '#name', text } });
const times = (count: number, step: object) => Array.from({ length: count }, () => step);

describe('recipes of at most 256 KiB', () => {
  let agents: Agents;
  let opened: Opened;
  before(async () => {
    agents = await startAgents();
  });
  after(() => agents.close());
  beforeEach(async () => {
    opened = await agents.open();
    expect((await agents.message(opened, 'go to http://sim.test/form')).status).to.equal(200);
  });

  const save = (steps?: readonly object[]) =>
    agents.side.call('POST /v1/recipes', {
      token: opened.token,
      body: { agent_session_id: opened.id, ...(steps && { steps }) },
    });
  const run = (recipe_id: unknown, parameters: object = {}) =>
    agents.message(opened, 'Do it again.', {}, { recipe_id, parameters });
  const expectRefused = (answer: Answer, path: string) => {
    expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'validation-failed']);
    expect(answer.json.errors).to.have.nested.property('[0].path', path);
  };
  const reservations = () => agents.side.events(`account_recipes-${uuidOf(opened.accountId)}`);

  it('are refused with more, before a place among the account’s recipes is taken', async () => {
    for (const count of [3, 9])
      expectRefused(await save(times(count, typing('x'.repeat(99_000)))), '/body/steps');
    expect(await reservations()).to.deep.equal([]);
  });

  it('are refused as well if the suggested ones have more', async () => {
    const typed = `type "${'x'.repeat(19_500)}" into selector #name`;
    for (let turn = 0; turn < 14; turn += 1) {
      const answer = await agents.message(opened, turn % 2 === 0 ? typed : `${typed} then scroll down`);
      expect(answer.json.ok, answer.text).to.equal(true);
    }
    expectRefused(await save(), '/body/steps');
    expect(await reservations()).to.deep.equal([]);
  });

  it('run as they were saved', async () => {
    const { json, status } = await save([
      form,
      ...times(2, typing('x'.repeat(99_000))),
      typing('x'.repeat(60_000)),
    ]);
    expect(status).to.equal(201);
    const answer = await run(json.id);
    expect([answer.status, answer.json.ok], answer.text.slice(0, 1000)).to.deep.equal([200, true]);
  });

  it('are not run with values that make their steps larger', async () => {
    const { json } = await save([form, ...times(11, typing({ parameter: 'said' }))]);
    const before = await agents.typesOf(opened.id);
    expectRefused(await run(json.id, { said: 'x'.repeat(99_000) }), '/body/parameters');
    expect(await agents.typesOf(opened.id)).to.deep.equal(before);
    expect((await run(json.id, { said: 'Ada' })).json.ok).to.equal(true);
  });
});
