import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import { issueApiKey } from '../../infra/keys/index.ts';
import { aSession, at, by, requested, sessionStream } from '../../projections/testing/index.ts';
import { outcomeOf, startReadApi, type ReadApi } from '../testing.ts';

describe('a key on the read side', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const outcome = async (token: string | null, headers = {}) =>
    outcomeOf(await api.call('GET /v1/sessions', { token, headers }));

  it('opens the account the moment after it was made', async () => {
    for (let i = 0; i < 10; i += 1) expect(await outcome((await api.addAccount()).key.text)).to.equal(200);
  });

  it('is refused the moment after it was revoked, though it was used just before', async () => {
    const { account, key } = await api.addAccount();
    expect(await outcome(key.text)).to.equal(200);
    const data = { apiKeyId: key.id, accountId: account, name: 'a key', by: 'owner', at };
    await api.write(account, `api_key-${key.id.slice(4)}`, [{ type: 'ApiKeyRevoked', data }]);
    expect(await outcome(key.text)).to.equal('revoked-key');
  });

  it('is refused the moment after its account was suspended, and works again after', async () => {
    const { account, key } = await api.addAccount();
    expect(await outcome(key.text)).to.equal(200);
    const stream = `account-${account.slice(4)}`;
    await api.write(account, stream, [
      { type: 'AccountSuspended', data: { accountId: account, reason: 'abuse', at } },
    ]);
    expect(await outcome(key.text)).to.equal('forbidden');
    await api.write(account, stream, [{ type: 'AccountUnsuspended', data: { accountId: account, at } }]);
    expect(await outcome(key.text)).to.equal(200);
  });

  it('is refused once its suspended account is projected, also when its position was not recorded', async () => {
    const { account, key } = await api.addAccount();
    expect(await outcome(key.text)).to.equal(200);
    const data = { accountId: account, reason: 'abuse', at };
    await api.append(`account-${account.slice(4)}`, [{ type: 'AccountSuspended', data }], by(account));
    await api.caughtUp();
    expect(await outcome(key.text)).to.equal('forbidden');
  });

  it('is refused for what is wrong with it', async () => {
    expect(await outcome(null)).to.equal('unauthorized');
    expect(await outcome(null, { authorization: 'Basic abc' })).to.equal('unauthorized');
    expect(await outcome('nonsense')).to.equal('invalid-key');
    expect(await outcome(issueApiKey().text)).to.equal('invalid-key');
    const { account } = await api.addAccount();
    const expiring = await api.addKey(account, { expiresAt: new Date(Date.parse(at) + 1000).toISOString() });
    expect(await outcome(expiring.text)).to.equal(200);
    api.advance(1000);
    expect(await outcome(expiring.text)).to.equal('expired-key');
    const narrow = await api.addKey(account, { scopes: ['write'] });
    expect(await outcome(narrow.text)).to.equal('forbidden');
  });
});

describe('a read that cannot be fresh', () => {
  let api: ReadApi;
  before(async () => (api = await startReadApi({ maxWaitMs: 50 })));
  after(() => api.close());

  it('refuses neither a key nor a session it does not have: they may have been made a moment ago', async () => {
    const { account, key } = await api.addAccount();
    const unanswered = await api.call('GET /v1/sessions', { token: key.text });
    expect(outcomeOf(unanswered)).to.equal('feature-unavailable');
    expect(unanswered.headers['retry-after']).to.equal('1');
    const projector = api.project();
    await api.caughtUp();
    await projector.close();
    const id = aSession();
    await api.write(account, sessionStream(id), [requested(id, account)]);
    const early = await api.call(`GET /v1/sessions/${id}`, { token: key.text });
    expect(outcomeOf(early)).to.equal('feature-unavailable');
  });

  it('refuses no key that the log has, though its position was not recorded, as while Postgres was away', async () => {
    const { account } = await api.addAccount();
    const projector = api.project();
    await api.caughtUp();
    await projector.close();
    const key = await api.addUnrecordedKey(account);
    const outcome = async (token: string) => outcomeOf(await api.call('GET /v1/sessions', { token }));
    expect(await outcome(key.text)).to.equal('feature-unavailable');
    expect(await outcome(issueApiKey().text)).to.equal('invalid-key');
    const again = api.project();
    await api.caughtUp();
    expect(await outcome(key.text)).to.equal(200);
    await again.close();
  });

  it('refuses no web session that the log has, though its position was not recorded', async () => {
    const { account } = await api.addAccount();
    const projector = api.project();
    await api.caughtUp();
    await projector.close();
    const { event, of } = openedSession(account, 0);
    await api.append(`web_session-${uuidOf(of.webSessionId)}`, [event], by(account));
    const unanswered = await api.call('GET /v1/sessions', { token: await api.tokens.access(of) });
    expect(outcomeOf(unanswered)).to.equal('feature-unavailable');
  });

  it('accepts no credential that the log has ended, though the read models are behind', async () => {
    const { account, key } = await api.addAccount();
    const { event, of } = openedSession(account, 0);
    await api.write(account, `web_session-${uuidOf(of.webSessionId)}`, [event]);
    const projector = api.project();
    await api.caughtUp();
    const token = await api.tokens.access(of);
    const outcomes = () =>
      Promise.all(
        [token, key.text].map(async (each) => outcomeOf(await api.call('GET /v1/sessions', { token: each }))),
      );
    expect(await outcomes()).to.deep.equal([200, 200]);
    await projector.close();
    const ended = {
      type: 'PasswordReset',
      data: { accountId: account, sealedPasswordHash: 's', epoch: 1, at },
    };
    await api.write(account, `login-${uuidOf(account)}`, [ended]);
    expect(await outcomes()).to.deep.equal(['revoked-key', 200]);
    const revoked = { apiKeyId: key.id, accountId: account, name: 'a key', by: 'owner', at };
    await api.write(account, `api_key-${uuidOf(key.id)}`, [{ type: 'ApiKeyRevoked', data: revoked }]);
    expect(await outcomes()).to.deep.equal(['revoked-key', 'revoked-key']);
  });

  it('gives what there is after its wait, and says so', async () => {
    const { account, key } = await api.addAccount();
    const projector = api.project();
    await api.caughtUp();
    await projector.close();
    const id = aSession();
    await api.write(account, sessionStream(id), [requested(id, account)]);
    const { status, json, headers } = await api.call('GET /v1/sessions', { token: key.text });
    expect(status).to.equal(200);
    expect(json.data).to.deep.equal([]);
    expect(headers).to.include({ 'x-service-stale': 'true' });
  });
});

describe('an unknown key while the event log is unavailable', () => {
  let api: ReadApi;
  before(async () => {
    const away = () => {
      throw new EventStoreUnavailable('It is away.');
    };
    api = await startReadApi({ store: { readStream: away, head: away } });
    api.project();
  });
  after(() => api.close());

  it('is answered 503: it may have been made a moment ago', async () => {
    const { key } = await api.addAccount();
    const unanswered = await api.call('GET /v1/sessions', { token: issueApiKey().text });
    expect(outcomeOf(unanswered)).to.equal('feature-unavailable');
    expect(unanswered.headers['retry-after']).to.equal('2');
    expect(outcomeOf(await api.call('GET /v1/sessions', { token: key.text }))).to.equal(200);
  });
});

/** A web session's first event, and the claims of its tokens. */
function openedSession(accountId: AccountId, epoch: number) {
  const of = { webSessionId: toId('webSession', randomUUID()), accountId };
  const data = {
    ...of,
    ...{ kind: 'web_session', scopes: ['read'], epoch, sealedSeed: 's', holder: 'h', confirmedAt: null },
    ...{ refreshUntil: '2026-02-05T12:00:00.000Z', at },
  };
  return { of, event: { type: 'WebSessionOpened', data } };
}

describe('a web session on the read side', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const signedIn = async (given?: { readonly account: AccountId; readonly epoch: number }) => {
    const { account, epoch } = given ?? { ...(await api.addAccount()), epoch: 0 };
    const { of, event } = openedSession(account, epoch);
    const stream = `web_session-${uuidOf(of.webSessionId)}`;
    await api.write(account, stream, [event]);
    const end = () =>
      api.write(account, stream, [{ type: 'WebSessionEnded', data: { ...of, reason: 'signed_out', at } }]);
    return { account, end, token: await api.tokens.access(of) };
  };
  const outcome = async (token: string, target = 'GET /v1/sessions') =>
    outcomeOf(await api.call(target, { token }));

  it('reads the moment after it was opened, and not the moment after it ended', async () => {
    const { token, end } = await signedIn();
    expect(await outcome(token)).to.equal(200);
    await end();
    expect(await outcome(token)).to.equal('revoked-key');
  });

  it('is refused the moment after its account’s password was reset; one opened since then is not', async () => {
    const { token, account } = await signedIn();
    expect(await outcome(token)).to.equal(200);
    const data = { accountId: account, sealedPasswordHash: 's', epoch: 1, at };
    await api.write(account, `login-${uuidOf(account)}`, [{ type: 'PasswordReset', data }]);
    expect(await outcome(token)).to.equal('revoked-key');
    expect(await outcome((await signedIn({ account, epoch: 1 })).token)).to.equal(200);
  });

  it('reads by its cookie', async () => {
    const { token } = await signedIn();
    const headers = { cookie: `__Host-service_session=${token}` };
    expect(outcomeOf(await api.call('GET /v1/sessions', { token: null, headers }))).to.equal(200);
  });

  it('of a suspended account reads its own account, and nothing else', async () => {
    const { token, account } = await signedIn();
    await api.write(account, `account-${uuidOf(account)}`, [
      { type: 'AccountSuspended', data: { accountId: account, reason: 'abuse', at } },
    ]);
    expect(await outcome(token)).to.equal('forbidden');
    expect(await outcome(token, 'GET /v1/account/me')).to.equal(200);
    expect(await outcome(token)).to.equal('forbidden');
  });

  it('finds the reason of its suspension in its own account, for as long as it is suspended', async () => {
    const { token, account } = await signedIn();
    const suspended = async () => (await api.call('GET /v1/account/me', { token })).json.suspended;
    const stream = `account-${uuidOf(account)}`;
    expect(await suspended()).to.equal(null);
    await api.write(account, stream, [
      { type: 'AccountSuspended', data: { accountId: account, reason: 'unpaid since March', at } },
    ]);
    expect(await suspended()).to.deep.equal({ at, reason: 'unpaid since March' });
    await api.write(account, stream, [{ type: 'AccountUnsuspended', data: { accountId: account, at } }]);
    expect(await suspended()).to.equal(null);
  });

  it('is refused from the moment its token expires', async () => {
    const { token } = await signedIn();
    expect(await outcome(token)).to.equal(200);
    api.advance(900_000);
    expect(await outcome(token)).to.equal('expired-key');
  });
});

describe('the terms on the read side', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi({ termsRevision: '2026-02' });
    api.project();
  });
  after(() => api.close());

  it('are required of accounts that have not accepted them, except on account routes, until the moment they accept', async () => {
    const { account, key } = await api.addAccount();
    const outcome = async (target: string) => outcomeOf(await api.call(target, { token: key.text }));
    expect(await outcome('GET /v1/sessions')).to.equal('legal-acceptance-required');
    expect(await outcome('GET /v1/account/me')).to.equal(200);
    const data = { accountId: account, revision: '2026-02', at };
    await api.write(account, `account-${uuidOf(account)}`, [{ type: 'TermsAccepted', data }]);
    expect(await outcome('GET /v1/sessions')).to.equal(200);
  });
});
