import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { aSession, at, destroyed, ready, requested, sessionStream } from '../projections/testing/index.ts';
import { origin } from '../infra/event-store/client/position.ts';
import { until } from '../infra/verification/testbed/index.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('the read side', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const minute = (n: number) => new Date(Date.parse(at) + n * 60_000).toISOString();

  it('shows a session in the list and by its id the moment after its write was acknowledged, every time', async () => {
    const { account, key } = await api.addAccount();
    for (let i = 0; i < 25; i += 1) {
      const id = aSession();
      await api.write(account, sessionStream(id), [requested(id, account, { at: minute(i) })]);
      const list = await api.call('GET /v1/sessions?limit=1', { token: key.text });
      expect(dataOf(list)[0]?.id).to.equal(id);
      await api.write(account, sessionStream(id), [ready(id)]);
      expect((await api.call(`GET /v1/sessions/${id}`, { token: key.text })).json.status).to.equal('ready');
      await api.write(account, sessionStream(id), [destroyed(id)]);
      expect((await api.call(`GET /v1/sessions/${id}`, { token: key.text })).json).to.include({
        status: 'destroyed',
        ended_reason: 'customer',
        egress_capabilities: null,
      });
    }
  });

  it('shows an empty label where a session was given none', async () => {
    const { account, key } = await api.addAccount();
    const id = aSession();
    await api.write(account, sessionStream(id), [requested(id, account, { label: null })]);
    expect((await api.call(`GET /v1/sessions/${id}`, { token: key.text })).json.label).to.equal('');
    expect(dataOf(await api.call('GET /v1/sessions', { token: key.text }))[0]?.label).to.equal('');
  });

  it('pages through a list, newest first, with each session once', async () => {
    const { account, key } = await api.addAccount();
    const ids = Array.from({ length: 7 }, aSession);
    for (const [i, id] of ids.entries()) {
      // Pairs have the same time, so that the id decides their order.
      await api.write(account, sessionStream(id), [requested(id, account, { at: minute(i >> 1) })]);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const answer = await api.call(`GET /v1/sessions?limit=2&cursor=${cursor}`, { token: key.text });
      seen.push(...dataOf<{ id: string }>(answer).map(({ id }) => id));
      expect(answer.json.has_more).to.equal(answer.json.next_cursor !== '');
      cursor = String(answer.json.next_cursor);
    } while (cursor !== '');
    expect(seen).to.have.length(7).and.have.members(ids);
    expect(seen[0]).to.equal(ids[6]);
  });

  it('refuses a cursor of another account, another list, or a made-up one', async () => {
    const { account, key } = await api.addAccount();
    const other = await api.addAccount();
    for (let i = 0; i < 2; i += 1) {
      const id = aSession();
      await api.write(account, sessionStream(id), [requested(id, account)]);
    }
    const { json } = await api.call('GET /v1/sessions?limit=1', { token: key.text });
    const refused = [
      await api.call(`GET /v1/sessions?cursor=${String(json.next_cursor)}`, { token: other.key.text }),
      await api.call(`GET /v1/api-keys?cursor=${String(json.next_cursor)}`, { token: key.text }),
      await api.call('GET /v1/sessions?cursor=garbage', { token: key.text }),
      await api.call(`GET /v1/sessions?cursor=${String(json.next_cursor)}x`, { token: key.text }),
    ];
    expect(refused.map(outcomeOf)).to.deep.equal(Array(4).fill('bad-request'));
    expect((await api.call('GET /v1/sessions?limit=101', { token: key.text })).status).to.equal(400);
  });

  it("does not distinguish another account's session from one that never existed", async () => {
    const { account } = await api.addAccount();
    const other = await api.addAccount();
    const id = aSession();
    await api.write(account, sessionStream(id), [requested(id, account)]);
    for (const path of [id, aSession(), 'ses_nothing', 'x']) {
      expect((await api.call(`GET /v1/sessions/${path}`, { token: other.key.text })).status).to.equal(404);
    }
  });

  it('waits for a position that the reader names, and refuses one that is none', async () => {
    const { account, key } = await api.addAccount();
    const id = aSession();
    const position = await api.append(sessionStream(id), [requested(id, account)]);
    const headers = { 'x-service-min-position': `${position.commit}/${position.prepare}` };
    const answer = await api.call(`GET /v1/sessions/${id}`, { token: key.text, headers });
    expect(answer.status).to.equal(200);
    expect(answer.headers).to.not.have.property('x-service-stale');

    const bad = await api.call('GET /v1/sessions', {
      token: key.text,
      headers: { 'x-service-min-position': 'soon' },
    });
    expect(outcomeOf(bad)).to.equal('bad-request');
  });

  it('marks reads as stale, and reports nothing as missing, until the read models have all that the log had at its start', async () => {
    let logEnd = origin;
    const restored = await startReadApi({ logEnd: () => logEnd, maxWaitMs: 500 });
    restored.project();
    try {
      const { account, key } = await restored.addAccount();
      const id = aSession();
      await restored.write(account, sessionStream(id), [requested(id, account)]);
      await restored.caughtUp();
      const seen = async (path: string) => {
        const { status, headers } = await restored.call(`GET ${path}`, { token: key.text });
        return [status, headers['x-service-stale']];
      };
      const paths = ['/v1/sessions', `/v1/sessions/${id}`, `/v1/sessions/${aSession()}`];
      const all = () => Promise.all(paths.map(seen));
      expect(await all()).to.deep.equal([
        [200, undefined],
        [200, undefined],
        [404, undefined],
      ]);
      logEnd = { commit: 10n ** 12n, prepare: 10n ** 12n };
      expect(await all()).to.deep.equal([
        [200, 'true'],
        [200, 'true'],
        [503, undefined],
      ]);
    } finally {
      await restored.close();
    }
  });

  it('shows the account with its address opened, and "erased" once its key is gone', async () => {
    const { account, key } = await api.addAccount('me@example.com');
    const me = () => api.call('GET /v1/account/me', { token: key.text });
    expect((await me()).json).to.deep.include({
      id: account,
      email: 'me@example.com',
      tier: 'team',
      teams: [],
    });
    await api.vault.forget(account);
    expect((await me()).json.email).to.equal('erased');
  });

  it('shows whether the account has a second factor', async () => {
    const { account, key } = await api.addAccount();
    const enrolled = async () =>
      (await api.call('GET /v1/account/me', { token: key.text })).json.mfa_enrolled;
    const write = (type: string, data: object = {}) =>
      api.write(account, `second_factor-${account.slice(4)}`, [
        { type, data: { accountId: account, ...data, at } },
      ]);
    const seen = [await enrolled()];
    await write('SecondFactorEnrolmentBegun', { sealedSecret: 'sealed' });
    seen.push(await enrolled());
    await write('SecondFactorConfirmed', { step: 1, recoveryCodes: [] });
    seen.push(await enrolled());
    await write('SecondFactorDisabled');
    seen.push(await enrolled());
    expect(seen).to.deep.equal([false, false, true, false]);
  });

  it('says what an OAuth client needs to know', async () => {
    const { status, json } = await api.call('GET /.well-known/oauth-authorization-server', {
      token: null,
      headers: { host: 'other.example' },
    });
    expect(status).to.equal(200);
    expect(json).to.deep.include({
      issuer: 'https://service.example',
      device_authorization_endpoint: 'https://service.example/v1/oauth/device_authorization',
      token_endpoint: 'https://service.example/v1/oauth/token',
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });

  it('lists keys masked, with what became of each', async () => {
    const { account, key } = await api.addAccount();
    const revoked = await api.addKey(account, { at: minute(1) });
    const data = { apiKeyId: revoked.id, accountId: account, name: 'a key', by: 'owner', at };
    await api.write(account, `api_key-${revoked.id.slice(4)}`, [{ type: 'ApiKeyRevoked', data }]);
    const answer = await api.call('GET /v1/api-keys', { token: key.text });
    expect(dataOf(answer).map(({ status }) => status)).to.deep.equal(['revoked', 'active']);
    expect(answer.text).to.not.contain(key.text.slice(20, 50));
  });

  it('lists when each key was used last', async () => {
    const { account, key } = await api.addAccount();
    await api.addKey(account, { at: minute(1) });
    const usedAt = async () =>
      dataOf(await api.call('GET /v1/api-keys', { token: key.text })).map((each) => each.last_used_at);
    await until(async () => (await usedAt())[1] !== null);
    expect(await usedAt()).to.deep.equal([null, at]);
  });

  it('lists the audit log newest first, filtered', async () => {
    const { account, key } = await api.addAccount();
    const id = aSession();
    await api.write(account, sessionStream(id), [requested(id, account), ready(id), destroyed(id)], key.id);
    const actions = async (query: string) =>
      dataOf(await api.call(`GET /v1/account/audit-log?${query}`, { token: key.text })).map(
        ({ action }) => action,
      );
    expect(await actions('')).to.deep.equal([
      'session.destroyed',
      'session.created',
      'api_key.created',
      'account.created',
    ]);
    expect(await actions('action=session.created')).to.deep.equal(['session.created']);
    expect(await actions(`actor=${key.id}`)).to.have.length(2);
    expect(await actions(`since=${minute(1)}`)).to.deep.equal([]);
    expect(await actions(`until=${minute(1)}&limit=1`)).to.deep.equal(['session.destroyed']);
    expect(
      (await api.call('GET /v1/account/audit-log?since=2026-13-99T99:99:99Z', { token: key.text })).status,
    ).to.equal(400);
  });

  it('exports the audit log, and says what it exported', async () => {
    const { key } = await api.addAccount();
    const get = (query: string) => api.call(`GET /v1/account/audit-log/export?${query}`, { token: key.text });
    const csv = await get('');
    expect(csv.headers['content-type']).to.contain('text/csv');
    expect(csv.text.split('\r\n')).to.have.length(4);

    const first = await get('format=jsonl&limit=1');
    expect(first.headers).to.include({ 'x-row-count': '1', 'x-has-more': 'true' });
    expect(first.headers['x-content-sha256']).to.equal(createHash('sha256').update(first.text).digest('hex'));
    const second = await get(`format=jsonl&cursor=${first.headers['x-next-cursor']}`);
    expect(second.headers).to.include({ 'x-row-count': '1', 'x-has-more': 'false', 'x-next-cursor': '' });
    expect(hashes(second.text).prev_hash).to.equal(hashes(first.text).hash);
  });

  it('shows the archetypes to anyone', async () => {
    const { status, json } = await api.call('GET /v1/archetypes', { token: null });
    expect(status).to.equal(200);
    expect(JSON.stringify(json.archetypes)).to.contain(`"id":"${String(json.default)}"`);
  });
});

const hashes = (line: string) => JSON.parse(line) as { readonly hash: string; readonly prev_hash: string };
