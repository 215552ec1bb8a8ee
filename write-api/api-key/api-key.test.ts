import { expect } from 'chai';
import { ownedContext } from '../../commands/engine/context.ts';
import { dayMs } from '../../contracts/durations.ts';
import { parseId, uuidOf } from '../../contracts/ids.ts';
import { account, keyReservations } from '../../domain/account.ts';
import { apiKey, type ApiKeyCommand } from '../../domain/api-key.ts';
import { hashApiKey, issueApiKey } from '../../infra/keys/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { movableClock, peppers, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('API keys over HTTP', () => {
  const clock = movableClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock, storeDeadlineMs: 30_000 });
  });
  after(() => side.close());

  /** Any authenticated call: 404 means that the key is valid. */
  const probe = async (token: string) => {
    const answer = await side.call('DELETE /v1/sessions/ses_none', { token });
    return answer.status === 404 ? 'good' : slug(answer);
  };
  const create = (token: string, body: object) => side.call('POST /v1/api-keys', { token, body });

  it('are created with their text shown once, and work at once', async () => {
    const { token, accountId } = await side.staff.account('team');
    const { status, json } = await create(token, { name: 'ci' });
    expect(status).to.equal(201);
    expect(json).to.deep.include({
      name: 'ci',
      scopes: ['read', 'write'],
      status: 'active',
      expires_at: null,
    });
    expect(String(json.key).startsWith(String(json.prefix))).to.equal(true);
    expect(await probe(String(json.key))).to.equal('good');
    const events = await side.events(`account-${accountId.slice(4)}`);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'AccountCreated',
      'ApiKeyAdmitted',
      'ApiKeyAdmitted',
    ]);
  });

  it('give no wider scopes than the caller’s, and account_owner to none', async () => {
    const { token, accountId } = await side.staff.account('team');
    expect(slug(await create(token, { name: 'owner', scopes: ['account_owner'] }))).to.equal('forbidden');
    const narrow = await side.staff.token(accountId, ['account_owner', 'read:sessions']);
    expect(slug(await create(narrow, { name: 'wide' }))).to.equal('forbidden');
    expect((await create(narrow, { name: 'same', scopes: ['read:sessions'] })).status).to.equal(201);
  });

  it('cannot be rotated into wider hands', async () => {
    const { accountId, apiKeyId } = await side.staff.account('team');
    const narrow = await side.staff.token(accountId, ['account_owner', 'read:sessions']);
    const answer = await side.call(`POST /v1/api-keys/${apiKeyId}/rotate`, { token: narrow, body: {} });
    expect(slug(answer)).to.equal('forbidden');
  });

  it('refuse an expiry in the past by naming the field', async () => {
    const { token } = await side.staff.account('team');
    const answer = await create(token, { name: 'late', expires_at: '2020-01-01T00:00:00Z' });
    expect([answer.status, slug(answer)]).to.deep.equal([400, 'validation-failed']);
    expect(answer.text).to.contain('/body/expires_at');
    const beyond = await create(token, { name: 'never', expires_at: '9999-12-31T23:59:59-14:00' });
    expect([beyond.status, beyond.json.expires_at]).to.deep.equal([201, '9999-12-31T23:59:59.999Z']);
  });

  it('expire at their time', async () => {
    const { token } = await side.staff.account('team');
    const expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const { json } = await create(token, { name: 'short', expires_at });
    expect(await probe(String(json.key))).to.equal('good');
    clock.advance(3_600_000);
    expect(await probe(String(json.key))).to.equal('expired-key');
  });

  it('are limited per tier; a revoked or expired key no longer counts', async () => {
    const { token } = await side.staff.account('personal');
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
    const made = [];
    for (let n = 0; n < 4; n += 1)
      made.push(await create(token, { name: `${n}`, ...(n === 0 && { expires_at }) }));
    expect(slug(await create(token, { name: 'more' }))).to.equal('tier-limit');
    await side.call(`DELETE /v1/api-keys/${String(made[3]?.json.id)}`, { token });
    expect((await create(token, { name: 'instead' })).status).to.equal(201);
    clock.advance(60_000);
    expect((await create(token, { name: 'after the expired one' })).status).to.equal(201);
    expect(slug(await create(token, { name: 'one too many' }))).to.equal('tier-limit');
  });

  it('are not for the free tier to make', async () => {
    const { token } = await side.staff.account('free');
    expect(slug(await create(token, { name: 'mine' }))).to.equal('forbidden');
  });

  it('are rotated: the new one works at once, the old one for 24 hours and no longer', async () => {
    const { token, apiKeyId } = await side.staff.account('team');
    const { status, json } = await side.call(`POST /v1/api-keys/${apiKeyId}/rotate`, { token, body: {} });
    expect(status).to.equal(200);
    expect(json.previous).to.have.property('id', apiKeyId);
    const successor = String(json.key);
    expect([await probe(token), await probe(successor)]).to.deep.equal(['good', 'good']);
    clock.advance(dayMs - 60_000);
    expect(await probe(token)).to.equal('good');
    clock.advance(60_000);
    expect([await probe(token), await probe(successor)]).to.deep.equal(['expired-key', 'good']);
    const again = await side.call(`POST /v1/api-keys/${apiKeyId}/rotate`, { token: successor, body: {} });
    expect(slug(again)).to.equal('conflict');
  });

  it('are not rotated past the limit, and count once until the successor ends', async () => {
    const { token, apiKeyId, accountId } = await side.staff.account('personal');
    const rotated = await side.call(`POST /v1/api-keys/${apiKeyId}/rotate`, { token, body: {} });
    const types = (await side.events(`account-${accountId.slice(4)}`)).map(({ type }) => type);
    expect(types.slice(-2)).to.deep.equal(['ApiKeyDismissed', 'ApiKeyAdmitted']);
    const successor = String(rotated.json.id);
    await side.call(`DELETE /v1/api-keys/${successor}`, { token });
    for (let n = 0; n < 5; n += 1) expect((await create(token, { name: `${n}` })).status).to.equal(201);
  });

  it('are rotated once, however many ask two processes for it at once', async () => {
    const { token, apiKeyId, accountId } = await side.staff.account('team');
    const other = await side.serve();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_each, index) =>
        (index % 2 === 0 ? side : other).call(`POST /v1/api-keys/${apiKeyId}/rotate`, { token, body: {} }),
      ),
    );
    await other.close();
    const [rotated, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).to.deep.equal([]);
    expect(new Set(answers.filter((each) => each !== rotated).map(slug))).to.deep.equal(
      new Set(['conflict']),
    );
    expect(await probe(String(rotated?.json.key))).to.equal('good');
    const successor = await side.events(`api_key-${String(rotated?.json.id).slice(4)}`);
    expect(successor.map(({ type }) => type)).to.deep.equal(['ApiKeyCreated']);
    const types = (await side.events(`account-${accountId.slice(4)}`)).map(({ type }) => type);
    expect(types.slice(2)).to.deep.equal(['ApiKeyDismissed', 'ApiKeyAdmitted']);
  });

  it('keep their reservation for a successor that a crash has delayed, also when they are revoked', async () => {
    const { token, accountId, apiKeyId } = await side.staff.account('personal');
    const made = [];
    for (let n = 0; n < 4; n += 1) made.push(await create(token, { name: `${n}` }));
    const [one, other] = made.map(({ json }) => parseId('apiKey', String(json.id)));
    if (one === undefined || other === undefined) throw new Error('none was made');
    const at = clock.now().toISOString();
    const run = (id: typeof one, command: ApiKeyCommand) =>
      side.staff.runner.run(apiKey, uuidOf(id), command, ownedContext(side.staff.context(), accountId));
    const successors = await Promise.all(
      [one, other].map(async (id) => {
        const { id: successor, prefix, last4, text } = issueApiKey();
        const issued = { apiKeyId: successor, prefix, last4, hash: hashApiKey(text, peppers.newest) };
        await run(id, { type: 'RotateApiKey', successor: issued, graceEndsAt: at, at });
        return successor;
      }),
    );
    await run(other, { type: 'RevokeApiKey', by: 'owner', at });
    expect((await side.call(`DELETE /v1/api-keys/${one}`, { token })).status).to.equal(204);
    expect(slug(await create(token, { name: 'above the cap' }))).to.equal('tier-limit');
    expect((await side.call(`DELETE /v1/api-keys/${other}`, { token })).status).to.equal(204);
    const { state } = await side.staff.runner.load(account, uuidOf(accountId));
    if (state.status === 'none') throw new Error('There is no account.');
    const kept = made.slice(2).map(({ json }) => json.id);
    expect(keyReservations(state).map(({ id: held }) => held)).to.have.members([
      apiKeyId,
      ...kept,
      ...successors,
    ]);
  });

  it('are revoked at once and for good, however often', async () => {
    const { token, apiKeyId, accountId } = await side.staff.account('team');
    const owner = await side.staff.token(accountId, ['account_owner']);
    expect(await probe(token)).to.equal('good');
    const revoke = () => side.call(`DELETE /v1/api-keys/${apiKeyId}`, { token: owner });
    expect((await revoke()).status).to.equal(204);
    expect(await probe(token)).to.equal('revoked-key');
    expect((await revoke()).status).to.equal(204);
    expect((await side.events(`api_key-${apiKeyId.slice(4)}`)).map(({ type }) => type)).to.deep.equal([
      'ApiKeyCreated',
      'ApiKeyRevoked',
    ]);
  });

  it('of another account are as unknown as none', async () => {
    const { token } = await side.staff.account('team');
    const other = await side.staff.account('team');
    const answers = await Promise.all(
      [other.apiKeyId, 'key_00000000-0000-4000-8000-000000000000', 'nonsense'].map((id) =>
        side.call(`DELETE /v1/api-keys/${id}`, { token }),
      ),
    );
    expect(answers.map(slug)).to.deep.equal(['not-found', 'not-found', 'not-found']);
  });
});

describe('what a process caches of keys and accounts', () => {
  it('ends within the push when another process changes them', async () => {
    const side = await startWriteSide({ config: { KEY_CACHE_TTL: 3_600_000 } });
    const other = await side.serve();
    const { token, accountId, apiKeyId } = await side.staff.account('team');
    const owner = await side.staff.token(accountId, ['account_owner']);
    const probe = () => other.call('DELETE /v1/sessions/ses_none', { token });
    expect((await probe()).status).to.equal(404);
    await side.staff.accounts.suspend(accountId, 'unpaid', side.staff.context());
    await until(async () => (await probe()).status === 403);
    await side.staff.accounts.unsuspend(accountId, side.staff.context());
    await until(async () => (await probe()).status === 404);
    await side.call(`DELETE /v1/api-keys/${apiKeyId}`, { token: owner });
    await until(async () => slug(await probe()) === 'revoked-key');
    await other.close();
    await side.close();
  });
});
