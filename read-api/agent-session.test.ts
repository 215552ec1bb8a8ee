import { expect } from 'chai';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import { Conversation } from '../projections/testing/agent-sessions.ts';
import { anAccount, at } from '../projections/testing/index.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('agent sessions as they are read', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const open = async (account: AccountId, createdAt = at) => {
    const talk = new Conversation(account, api.vault.seal);
    await api.write(account, talk.stream, [talk.created({ at: createdAt })]);
    return talk;
  };

  it('show one as its events leave it, the moment they are acknowledged', async () => {
    const { account, key } = await api.addAccount();
    const talk = await open(account);
    await api.write(account, talk.stream, [
      await talk.said('greet Ada'),
      await talk.answered({ body: 'Done.' }),
    ]);
    const { status, json } = await api.call(`GET /v1/agent-sessions/${talk.id}`, { token: key.text });
    expect([status, json]).to.deep.equal([
      200,
      {
        id: talk.id,
        account_id: uuidOf(account),
        service_session_id: null,
        status: 'active',
        closed_reason: null,
        closed_at: null,
        token_budget_total: 100_000,
        token_budget_remaining: 100_000,
        transcript_length: 2,
        created_by_user_id: uuidOf(account),
        mode: 'ai',
        model: 'claude-haiku-5-5',
        pair_mode_state: null,
        created_at: at,
        updated_at: at,
        error_event: null,
      },
    ]);
  });

  it('list the account’s own, newest first, page by page, closed ones too', async () => {
    const [{ account, key }, other] = [await api.addAccount(), await api.addAccount()];
    await open(other.account);
    const talks = [];
    for (const second of [1, 2, 3, 3, 4]) talks.push(await open(account, `2026-01-02T03:04:0${second}.000Z`));
    const [oldest] = talks;
    if (oldest) await api.write(account, oldest.stream, [oldest.closed()]);
    const seen: unknown[] = [];
    for (let cursor: unknown = ''; seen.length === 0 || cursor !== '';) {
      const target = `GET /v1/agent-sessions?limit=2&cursor=${String(cursor)}`;
      const page = await api.call(target, { token: key.text });
      seen.push(...dataOf(page).map(({ id, status }) => [id, status]));
      cursor = page.json.next_cursor;
    }
    const expected = talks.map(({ id }) => [id, id === oldest?.id ? 'closed' : 'active']);
    expect(seen).to.have.deep.members(expected);
    expect(seen[0]).to.deep.equal(expected[4]);
    expect(seen[4]).to.deep.equal(expected[0]);
  });

  it('are not there for another account, nor under an id that was never given out', async () => {
    const [{ account }, other] = [await api.addAccount(), await api.addAccount()];
    const talk = await open(account);
    for (const id of [talk.id, new Conversation(anAccount(), api.vault.seal).id, 'agt_1', uuidOf(talk.id)])
      for (const path of [id, `${id}/transcript`, `${id}/transcript?limit=1000`])
        expect(
          outcomeOf(await api.call(`GET /v1/agent-sessions/${path}`, { token: other.key.text })),
          path,
        ).to.equal('not-found');
  });

  it('take the scopes read, read:sessions and account_owner, and no other', async () => {
    const { account } = await api.addAccount();
    const talk = await open(account);
    for (const scope of ['read', 'read:sessions', 'account_owner', 'write', 'write:sessions'] as const) {
      const { text } = await api.addKey(account, { scopes: [scope] });
      for (const path of ['', `/${talk.id}`, `/${talk.id}/transcript`]) {
        const outcome = outcomeOf(await api.call(`GET /v1/agent-sessions${path}`, { token: text }));
        expect(outcome, `${scope} ${path}`).to.equal(scope.startsWith('write') ? 'forbidden' : 200);
      }
    }
  });

  describe('in a transcript as JSON', () => {
    const transcript = (id: string, query: string, token: string) =>
      api.call(`GET /v1/agent-sessions/${id}/transcript${query}`, { token });

    it('come as pages of entries, oldest first', async () => {
      const { account, key } = await api.addAccount();
      const talk = await open(account);
      const tap = { kind: 'interact', action: { kind: 'tap', text: 'Greet' } };
      await api.write(account, talk.stream, [
        await talk.logged('look here'),
        await talk.said('greet Ada'),
        talk.decomposed({}),
        await talk.answered({ body: 'Greeted.', intents: [tap] }),
        await talk.said('once more'),
        talk.abandoned(),
      ]);
      const first = await transcript(talk.id, '?limit=3', key.text);
      expect(dataOf(first)).to.deep.equal([
        { index: 0, entry: { role: 'operator', body: 'look here', at } },
        { index: 1, entry: { role: 'user', body: 'greet Ada', at } },
        { index: 2, entry: { role: 'agent', body: 'Greeted.', at, intents: [tap] } },
      ]);
      const rest = await transcript(talk.id, `?limit=3&cursor=${String(first.json.next_cursor)}`, key.text);
      expect(dataOf<{ index: number }>(rest).map(({ index }) => index)).to.deep.equal([3, 4]);
      expect([first.json.has_more, rest.json.has_more, rest.json.next_cursor]).to.deep.equal([
        true,
        false,
        '',
      ]);
      expect(first.headers['content-type']).to.equal('application/json');
    });

    it('are none before anything was said', async () => {
      const { account, key } = await api.addAccount();
      const { json } = await transcript((await open(account)).id, '', key.text);
      expect(json).to.deep.equal({ data: [], has_more: false, next_cursor: '' });
    });

    it('refuse a cursor of another transcript, of another account and of nowhere', async () => {
      const [{ account, key }, other] = [await api.addAccount(), await api.addAccount()];
      const [talk, another, theirs] = [await open(account), await open(account), await open(other.account)];
      for (const each of [talk, another, theirs])
        await api.write(each === theirs ? other.account : account, each.stream, [
          await each.logged('one'),
          await each.logged('two'),
        ]);
      const cursorOf = async (id: string, token: string) =>
        String((await transcript(id, '?limit=1', token)).json.next_cursor);
      const [ofAnother, ofTheirs, ofList] = [
        await cursorOf(another.id, key.text),
        await cursorOf(theirs.id, other.key.text),
        String((await api.call('GET /v1/agent-sessions?limit=1', { token: key.text })).json.next_cursor),
      ];
      for (const cursor of [ofAnother, ofTheirs, ofList, 'nonsense'])
        expect(outcomeOf(await transcript(talk.id, `?cursor=${cursor}`, key.text))).to.equal('bad-request');
      for (const query of ['?limit=0', '?limit=101', '?limit=x'])
        expect(outcomeOf(await transcript(talk.id, query, key.text))).to.equal('validation-failed');
    });
  });
});
