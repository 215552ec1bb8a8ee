import { expect } from 'chai';
import { dayMs } from '../contracts/durations.ts';
import { toId, uuidOf, type AccountId } from '../contracts/ids.ts';
import type { AuditEntry } from '../contracts/resources/account.ts';
import { join } from '../write-api/testing/team.ts';
import { dataOf, outcomeOf } from './testing.ts';
import { useProfiles } from './testing/profiles.ts';

describe('profiles that are given away', () => {
  const { clock, service, call, made, captured, idsIn, person } = useProfiles();
  const offer = (token: string, id: string, to: AccountId) =>
    call(token, `POST /v1/profiles/${id}/transfer`, { to_account_id: to });
  const accept = (token: string, id: string) => call(token, `POST /v1/profiles/${id}/transfer/accept`);

  it('are given away by an offer that the other account accepts', async () => {
    const [source, target, stranger] = [await person(), await person(), await person()];
    const id = await made(source.token, 'gift');
    const snapshot = await captured(source.token, id);
    const { status, json } = await offer(source.token, id, target.accountId);
    const expires_at = new Date(clock.now().getTime() + 7 * dayMs).toISOString();
    expect([status, json]).to.deep.equal([
      202,
      { id, to_account_id: target.accountId, status: 'offered', expires_at },
    ]);
    for (const { token } of [source, stranger])
      expect(outcomeOf(await accept(token, id))).to.equal('not-found');
    expect((await accept(target.token, id)).json).to.include({ id, name: 'gift' });
    expect((await accept(target.token, id)).status).to.equal(200);
    expect(await idsIn(target.token, '/v1/profiles')).to.deep.equal([id]);
    expect(await idsIn(source.token, '/v1/profiles')).to.deep.equal([]);
    expect(outcomeOf(await call(source.token, `GET /v1/profiles/${id}`))).to.equal('not-found');
    expect(await idsIn(source.token, '/v1/profile-snapshots')).to.deep.equal([snapshot]);
    expect(outcomeOf(await call(source.token, `GET /v1/profiles/${id}/snapshots`))).to.equal('not-found');
    expect(await idsIn(target.token, `/v1/profiles/${id}/snapshots`)).to.deep.equal([]);
    await made(source.token, 'gift');
  });

  it('have room for fifty snapshots of each owner', async () => {
    const [source, target] = [await person(), await person()];
    const id = await made(source.token, 'full');
    for (let n = 0; n < 50; n += 1) await captured(source.token, id, `number ${n}`);
    await offer(source.token, id, target.accountId);
    expect((await accept(target.token, id)).status).to.equal(200);
    const own = await captured(target.token, id);
    expect(await idsIn(target.token, `/v1/profiles/${id}/snapshots`)).to.deep.equal([own]);
  });

  it('are offered to one account at a time, for seven days', async () => {
    const [source, first, second] = [await person(), await person(), await person()];
    const id = await made(source.token, 'wanted');
    await offer(source.token, id, first.accountId);
    await offer(source.token, id, second.accountId);
    expect(outcomeOf(await accept(first.token, id))).to.equal('not-found');
    clock.advance(7 * dayMs);
    expect(outcomeOf(await accept(second.token, id))).to.equal('not-found');
    await offer(source.token, id, second.accountId);
    expect((await accept(second.token, uuidOf(id))).status).to.equal(200);
  });

  it('are not taken over without a place and a free name for them', async () => {
    const [source, full, named] = [await person(), await person({ tier: 'free' }), await person()];
    const id = await made(source.token, 'Gift');
    const own = await made(full.token, 'own');
    await offer(source.token, id, full.accountId);
    const refused = await accept(full.token, id);
    expect([refused.status, outcomeOf(refused)]).to.deep.equal([429, 'tier-limit']);
    await call(full.token, `DELETE /v1/profiles/${own}`);
    expect((await accept(full.token, id)).status).to.equal(200);
    const other = await made(source.token, 'Other');
    await made(named.token, 'OTHER');
    await offer(source.token, other, named.accountId);
    expect(outcomeOf(await accept(named.token, other))).to.equal('conflict');
    expect(await idsIn(source.token, '/v1/profiles')).to.deep.equal([other]);
  });

  it('are offered to no missing account and not to their own', async () => {
    const { token, accountId } = await person();
    const id = await made(token, 'mine');
    const missing = toId('account', uuidOf(id));
    expect(outcomeOf(await offer(token, id, missing))).to.equal('not-found');
    expect(outcomeOf(await offer(token, id, accountId))).to.equal('validation-failed');
  });

  it('change hands at once between two accounts that the caller acts on', async () => {
    const [owner, other] = [await person(), await person()];
    await join(service(), other, owner, 'admin');
    const id = await made(owner.token, 'to and fro');
    const given = await offer(owner.token, id, other.accountId);
    const done = { id, status: 'transferred', expires_at: null };
    expect([given.status, given.json]).to.deep.equal([202, { ...done, to_account_id: other.accountId }]);
    expect(await idsIn(other.token, '/v1/profiles')).to.deep.equal([id]);
    const acting = { 'X-Service-Account': other.accountId };
    const to = { to_account_id: owner.accountId };
    const fetched = await call(owner.token, `POST /v1/profiles/${id}/transfer`, to, acting);
    expect([fetched.status, fetched.json]).to.deep.equal([202, { ...done, to_account_id: owner.accountId }]);
    expect(await idsIn(owner.token, '/v1/profiles')).to.deep.equal([id]);
    await service().caughtUp();
    const actions = async (token: string) =>
      dataOf<{ action: string }>(await call(token, 'GET /v1/account/audit-log?limit=100'))
        .map(({ action }) => action)
        .filter((action) => action.startsWith('profile.'));
    expect(await actions(owner.token)).to.have.members([
      'profile.created',
      'profile.transfer_offered',
      'profile.handed_over',
      'profile.transferred',
    ]);
    expect(await actions(other.token)).to.have.members([
      'profile.transferred',
      'profile.transfer_offered',
      'profile.handed_over',
    ]);
  });

  const handedOver = async (token: string) => {
    await service().caughtUp();
    const entries = dataOf<AuditEntry>(await call(token, 'GET /v1/account/audit-log?limit=100'));
    return entries.filter(({ action }) => action === 'profile.handed_over');
  };

  it('leave an entry in the audit log of the account that an admin of its team took them from', async () => {
    const [owner, admin] = [await person(), await person()];
    await join(service(), owner, admin, 'admin');
    const id = await made(owner.token, 'taken along');
    const acting = { 'X-Service-Account': owner.accountId };
    const to = { to_account_id: admin.accountId };
    const taken = await call(admin.token, `POST /v1/profiles/${id}/transfer`, to, acting);
    expect(taken.json.status, taken.text).to.equal('transferred');
    const [entry, ...others] = await handedOver(owner.token);
    expect(entry).to.deep.include({
      ...{ target: { type: 'profile', id }, payload: to },
      ...{ actor_type: 'api_key', actor_account_id: admin.accountId, actor_key_id: admin.apiKeyId },
    });
    expect(others).to.deep.equal([]);
  });

  it('leave an entry in the audit log of their former owner that shows no more than who accepted them', async () => {
    const [source, target, admin] = [await person(), await person(), await person()];
    await join(service(), target, admin, 'admin');
    const id = await made(source.token, 'accepted');
    await offer(source.token, id, target.accountId);
    expect(await handedOver(source.token)).to.deep.equal([]);
    const acting = { 'X-Service-Account': target.accountId };
    const taken = await call(admin.token, `POST /v1/profiles/${id}/transfer/accept`, undefined, acting);
    expect(taken.status, taken.text).to.equal(200);
    const [entry, ...others] = await handedOver(source.token);
    expect(entry).to.deep.include({
      ...{ target: { type: 'profile', id }, payload: { to_account_id: target.accountId } },
      ...{ actor_type: 'api_key', actor_account_id: target.accountId },
      ...{ request_id: null, ip: null, user_agent: null },
    });
    expect(entry).not.to.have.property('actor_key_id');
    expect(others).to.deep.equal([]);
  });

  it('are only offered to a suspended account, by its admins too', async () => {
    const [owner, suspended] = [await person(), await person()];
    await join(service(), suspended, owner, 'admin');
    const id = await made(owner.token, 'for later');
    const { accounts, context } = service().staff;
    await accounts.suspend(suspended.accountId, 'unpaid', context());
    expect((await offer(owner.token, id, suspended.accountId)).json.status).to.equal('offered');
    expect(await idsIn(owner.token, '/v1/profiles')).to.deep.equal([id]);
    await accounts.unsuspend(suspended.accountId, context());
    expect((await accept(suspended.token, id)).status).to.equal(200);
  });

  it('do not change hands at once for a mere member of the other team', async () => {
    const [owner, other] = [await person(), await person()];
    await join(service(), other, owner, 'member');
    const id = await made(owner.token, 'not yet');
    expect((await offer(owner.token, id, other.accountId)).json.status).to.equal('offered');
  });

  it('that a request had reserved which died before it took over are not counted for long', async () => {
    const [source, target] = [await person(), await person({ tier: 'free' })];
    const id = await made(source.token, 'stuck');
    const at = clock.now().toISOString();
    const { accountId } = target;
    await service().store.append(`account_profiles-${uuidOf(accountId)}`, 'no_stream', [
      {
        id: '0197f1a0-0000-7000-8000-0000000000e1',
        type: 'ProfileQuotaReserved',
        data: { accountId, id, name: 'stuck', at },
        metadata: {
          correlation_id: 'c',
          causation_id: 'c',
          actor: { kind: 'api_key', account_id: accountId },
          occurred_at: at,
          schema_version: 1,
          request_id: null,
        },
      },
    ]);
    const create = () => call(target.token, 'POST /v1/profiles', { name: 'own' });
    expect(outcomeOf(await create())).to.equal('tier-limit');
    clock.advance(60_000);
    expect((await create()).status).to.equal(201);
    expect((await call(source.token, `GET /v1/profiles/${id}`)).json).to.include({ name: 'stuck' });
  });
});
