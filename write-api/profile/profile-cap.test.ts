import { expect } from 'chai';
import type { AccountId } from '../../contracts/ids.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import { outcomeOf, type Answer } from '../../infra/http/testing.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { startWholeService, type WholeService } from '../../infra/verification/security/whole-service.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';
import { exportedProfile, imported, importing } from '../testing/exported-profile.ts';
import { aPerson, join } from '../testing/team.ts';

describe('a number of profiles that staff has raised for one account', () => {
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());

  const call = (token: string, address: string, body?: object, headers: Record<string, string> = {}) =>
    side.call(address, { token, headers, ...(body && { body }) });
  const create = (token: string, name: string, headers?: Record<string, string>) =>
    call(token, 'POST /v1/profiles', { name }, headers);
  const idOf = ({ status, json, text }: Answer) => {
    expect(status, text).to.equal(201);
    return String(json.id);
  };
  const override = (accountId: AccountId, limit: number | null) =>
    side.staff.accounts.overrideProfileCap(accountId, limit, side.staff.context());
  /** The first answer that is no refusal of the limit: the override is by another process, whose event arrives later. */
  const onceAdmitted = (ask: () => Promise<Answer>) =>
    until(async () => {
      const answer = await ask();
      return outcomeOf(answer) !== 'tier-limit' && answer;
    });
  const full = (answer: Answer, limit: number) => {
    expect([answer.status, outcomeOf(answer)], answer.text).to.deep.equal([429, 'tier-limit']);
    expect(answer.json.detail).to.equal(`All ${limit} profile records are in use. Delete one first.`);
  };

  it('is the limit of whatever makes one: creates, clones, restored snapshots and restores from the trash', async () => {
    const { token, accountId } = await aPerson(side, { tier: 'free' });
    const first = idOf(await create(token, 'first'));
    const captured = await call(token, `POST /v1/profiles/${first}/snapshots`, { label: 'as it was' });
    const snapshot = idOf(captured);
    full(await create(token, 'second'), 1);
    await override(accountId, 4);
    const second = idOf(await onceAdmitted(() => create(token, 'second')));
    const clone = () => call(token, `POST /v1/profiles/${first}/clone`);
    const fromSnapshot = (name: string) =>
      call(token, `POST /v1/profile-snapshots/${snapshot}/restore`, { name });
    idOf(await clone());
    idOf(await fromSnapshot('fourth'));
    for (const refused of [await create(token, 'fifth'), await clone(), await fromSnapshot('fifth')])
      full(refused, 4);
    const restore = () => call(token, `POST /v1/profiles/${second}/restore`);
    await call(token, `DELETE /v1/profiles/${second}`);
    const fourth = idOf(await create(token, 'fourth again'));
    full(await restore(), 4);
    await call(token, `DELETE /v1/profiles/${fourth}`);
    expect((await restore()).status).to.equal(200);
  });

  it('is the limit of imports, which is checked before the file is read', async () => {
    const { token, accountId } = await aPerson(side, { tier: 'free' });
    const only = idOf(await create(token, 'only'));
    const { json } = await call(token, `POST /v1/profiles/${only}/export`);
    const importing = (name: string) =>
      call(token, 'POST /v1/profiles/import', { name, data: json.data, passphrase: json.passphrase });
    full(await importing('second'), 1);
    await override(accountId, 2);
    idOf(await onceAdmitted(() => importing('second')));
    full(await importing('third'), 2);
  });

  it('is the limit of profiles that it accepts from others, or that an admin of its team gives to it', async () => {
    const [giver, taker] = [await aPerson(side), await aPerson(side, { tier: 'free' })];
    await join(side, taker, giver, 'admin');
    await create(taker.token, 'own');
    const transfer = (token: string, id: string) =>
      call(token, `POST /v1/profiles/${id}/transfer`, { to_account_id: taker.accountId });
    const gift = idOf(await create(giver.token, 'gift'));
    full(await transfer(giver.token, gift), 1);
    await override(taker.accountId, 3);
    const given = await onceAdmitted(() => transfer(giver.token, gift));
    expect(given.json).to.include({ status: 'transferred' });
    const stranger = await aPerson(side);
    const offered = async (name: string) => {
      const id = idOf(await create(stranger.token, name));
      await transfer(stranger.token, id);
      return id;
    };
    const accept = (id: string) => call(taker.token, `POST /v1/profiles/${id}/transfer/accept`);
    const wanted = await offered('wanted');
    expect((await onceAdmitted(() => accept(wanted))).status).to.equal(200);
    full(await accept(await offered('too many')), 3);
  });

  it('counts for admins of its team who act on it, and not for their own accounts', async () => {
    const [owner, admin] = [await aPerson(side, { tier: 'free' }), await aPerson(side, { tier: 'free' })];
    await join(side, owner, admin, 'admin');
    await override(owner.accountId, 2);
    const acting = { 'X-Service-Account': owner.accountId };
    idOf(await create(admin.token, 'first', acting));
    idOf(await onceAdmitted(() => create(admin.token, 'second', acting)));
    full(await create(admin.token, 'third', acting), 2);
    idOf(await create(admin.token, 'own'));
    full(await create(admin.token, 'own too'), 1);
  });

  it('is that of the tier again once it is removed; profiles above it stay', async () => {
    const { token, accountId } = await aPerson(side, { tier: 'free' });
    await override(accountId, 2);
    const first = idOf(await create(token, 'first'));
    const second = idOf(await onceAdmitted(() => create(token, 'second')));
    await override(accountId, null);
    await until(async () => {
      const { json } = await create(token, 'third');
      return json.detail === 'All 1 profile records are in use. Delete one first.';
    });
    for (const id of [first, second])
      expect((await call(token, `PATCH /v1/profiles/${id}`, { description: 'kept' })).status).to.equal(200);
  });
});

describe('the storage of an account that imports', () => {
  let service: WholeService;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.close());

  it('may be twice the cap of its tier with the trash; above it, an import is refused until that is purged', async () => {
    const { token } = await service.staff.account('free');
    const [data, most] = [await exportedProfile(1000), 2 * tierLimits.free.storage.bytes];
    const id = await imported(service, token, data);
    await service.call(`DELETE /v1/profiles/${id}`, { token });
    await service.caughtUp();
    const store = (bytes: number) =>
      service.pool.query('update read_model.profiles set storage_bytes = $1 where id = $2', [bytes, id]);
    await store(most);
    const refused = await importing(service, token, data);
    expect([refused.status, outcomeOf(refused)]).to.deep.equal([409, 'storage-quota-exceeded']);
    expect(refused.json).to.include({ used_bytes: most, cap_bytes: most, tier: 'free' });
    await store(most / 2);
    const accepted = await imported(service, token, data);
    await service.call(`DELETE /v1/profiles/${accepted}`, { token });
    await store(most);
    expect(outcomeOf(await importing(service, token, data))).to.equal('storage-quota-exceeded');
    expect((await service.call(`DELETE /v1/profiles/${id}/purge`, { token })).status).to.equal(204);
    await service.caughtUp();
    await imported(service, token, data);
  });
});
