import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { recipeBody, type RecipeBody } from '../contracts/events/recipe.ts';
import { toId, type AccountId } from '../contracts/ids.ts';
import { at } from '../projections/testing/index.ts';
import { dataOf, startReadApi, type ReadApi } from './testing.ts';

describe('the recipes of an account', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const agentSessionId = toId('agentSession', uuidv7());
  const save = async (accountId: AccountId, name: string, changes: Partial<RecipeBody> = {}) => {
    const uuid = uuidv7();
    const id = toId('recipe', uuid);
    const body: RecipeBody = {
      ...{ name, description: 'said once', parameters: [] },
      steps: [{ kind: 'navigate', url: 'http://sim.test/' }],
      ...changes,
    };
    const fields = {
      ...{ agentSessionId, archetype: 'iphone-15', version: 1, fromIndex: 2, toIndex: 5 },
      ...{ sourceHash: 'ab'.repeat(32) },
      sealedBody: await api.vault.seal(accountId, recipeBody, JSON.stringify(body)),
    };
    await api.write(accountId, `recipe-${uuid}`, [
      { type: 'RecipeCreated', data: { id, accountId, fields, at } },
    ]);
    return id;
  };

  it('are listed and read with what is sealed of them opened', async () => {
    const { account, key } = await api.addAccount();
    const id = await save(account, 'Monday');
    const { json, status } = await api.call(`GET /v1/recipes/${id}`, { token: key.text });
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      ...{ id, name: 'Monday', description: 'said once', agent_session_id: agentSessionId },
      ...{ archetype: 'iphone-15', parameters: [], version: 1, created_at: at, updated_at: at },
      steps: [{ kind: 'navigate', url: 'http://sim.test/' }],
      ...{ source: { from_index: 2, to_index: 5 }, source_hash: 'ab'.repeat(32) },
    });
    expect(dataOf(await api.call('GET /v1/recipes', { token: key.text }))).to.deep.equal([json]);
  });

  it('come in pages of a few MiB: a page of large ones ends early, and the next one goes on', async () => {
    const { account, key } = await api.addAccount();
    const steps: RecipeBody['steps'] = [{ kind: 'navigate', url: `http://sim.test/${'x'.repeat(250_000)}` }];
    const saved: string[] = [];
    for (let index = 0; index < 30; index += 1) saved.push(await save(account, `large ${index}`, { steps }));
    const listed: unknown[] = [];
    for (let cursor = ''; listed.length < saved.length;) {
      const page = await api.call(`GET /v1/recipes?limit=100&cursor=${cursor}`, { token: key.text });
      expect(JSON.stringify(page.json).length).to.be.lessThan(5_000_000);
      expect(dataOf(page)).not.to.have.length(0);
      listed.push(...dataOf(page).map(({ id }) => id));
      expect(page.json.has_more).to.equal(listed.length < saved.length);
      cursor = String(page.json.next_cursor);
    }
    expect(listed).to.deep.equal(saved.toReversed());
  });

  it('are one to a page if that is asked for', async () => {
    const { account, key } = await api.addAccount();
    const saved = [await save(account, 'one'), await save(account, 'two')];
    const page = (cursor: unknown) =>
      api.call(`GET /v1/recipes?limit=1&cursor=${String(cursor)}`, { token: key.text });
    const first = await page('');
    expect([first.json.has_more, dataOf(first).map(({ id }) => id)]).to.deep.equal([true, saved.slice(1)]);
    const last = await page(first.json.next_cursor);
    expect([last.json.has_more, dataOf(last).map(({ id }) => id)]).to.deep.equal([false, saved.slice(0, 1)]);
  });

  it('are visible to no other account, whatever account is named in the header', async () => {
    const [{ account }, other] = [await api.addAccount(), await api.addAccount()];
    const id = await save(account, 'Mine');
    const asked = { token: other.key.text, headers: { 'x-service-account': account } };
    expect((await api.call(`GET /v1/recipes/${id}`, asked)).status).to.equal(404);
    expect(dataOf(await api.call('GET /v1/recipes', asked))).to.deep.equal([]);
  });

  it('are gone once they are deleted', async () => {
    const { account, key } = await api.addAccount();
    const id = await save(account, 'Gone');
    const data = { id, accountId: account, at };
    await api.write(account, `recipe-${id.slice(4)}`, [{ type: 'RecipeDeleted', data }]);
    expect((await api.call(`GET /v1/recipes/${id}`, { token: key.text })).status).to.equal(404);
    expect(dataOf(await api.call('GET /v1/recipes', { token: key.text }))).to.deep.equal([]);
  });
});
