import { expect } from 'chai';
import { uuidOf } from '../../../contracts/ids.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

/** A profile's pages see only what they stored in this profile. */
describe('what pages leave in the profiles of two accounts', () => {
  let service: WholeService;
  let ada: Account;
  let eve: Account;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.close());
  beforeEach(async () => {
    [ada, eve] = [await newAccount(), await newAccount()];
  });

  type Account = Awaited<ReturnType<typeof newAccount>>;

  async function newAccount() {
    const { token, accountId } = await service.staff.account('team');
    const call = (target: string, body?: object): Promise<Answer> =>
      service.call(target, { token, ...(body && { body }) });
    return { token, accountId, call };
  }

  const created = async ({ call }: Account, name = 'Mine'): Promise<string> =>
    String((await call('POST /v1/profiles', { name })).json.id);
  const saves = async (profile: string): Promise<number> => {
    const events = await service.events(`profile-${uuidOf(profile)}`);
    return events.filter(({ type }) => type === 'StateSaved').length;
  };

  /** A session of the profile that visits its page; returns the page's first visitor, and its number of visits. */
  async function visit({ call }: Account, profile: string, name: string): Promise<readonly unknown[]> {
    const launched = await call(`POST /v1/profiles/${profile}/launch`, {});
    expect(launched.status, launched.text).to.equal(201);
    const session = `/v1/sessions/${String(launched.json.id)}`;
    await call(`POST ${session}/navigate`, { url: `http://sim.test/counter?for=${name}` });
    const { json } = await call(`GET ${session}/state`);
    const before = await saves(profile);
    await call(`DELETE ${session}`);
    await until(async () => (await saves(profile)) > before);
    const { for: owner, count } = json.local_storage as { for: string; count: string };
    return [owner, count];
  }

  it('are apart, even for profiles with the same name that are used at the same time', async () => {
    const [ours, theirs] = [await created(ada), await created(eve)];
    for (const count of ['1', '2', '3'])
      expect(await Promise.all([visit(ada, ours, 'ada'), visit(eve, theirs, 'eve')])).to.deep.equal([
        ['ada', count],
        ['eve', count],
      ]);
  });

  it('are apart within one account', async () => {
    const [one, other] = [await created(ada), await created(ada, 'Other')];
    await visit(ada, one, 'one');
    expect(await visit(ada, other, 'other')).to.deep.equal(['other', '1']);
    const cloned = await ada.call(`POST /v1/profiles/${one}/clone`, {});
    expect(await visit(ada, String(cloned.json.id), 'copy')).to.deep.equal(['copy', '1']);
  });

  it('cannot be reached by another account in any way, and stay as they are', async () => {
    const ours = await created(ada);
    await visit(ada, ours, 'ada');
    const saved = await saves(ours);
    for (const [verb, body] of [
      ['launch', {}],
      ['export', {}],
      ['trim', { keep: [] }],
      ['clone', {}],
      ['transfer/accept', undefined],
    ] as const)
      for (const id of [ours, uuidOf(ours)])
        expect(outcomeOf(await eve.call(`POST /v1/profiles/${id}/${verb}`, body)), verb).to.equal(
          'not-found',
        );
    expect(outcomeOf(await eve.call('POST /v1/sessions', { profile_id: ours }))).to.equal('not-found');
    expect(await saves(ours)).to.equal(saved);
    expect(await visit(ada, ours, 'again')).to.deep.equal(['ada', '2']);
  });

  it('do not open in the other’s profile when their sealed states are exchanged in the store', async () => {
    const [ours, theirs] = [await created(ada), await created(eve)];
    await Promise.all([visit(ada, ours, 'ada'), visit(eve, theirs, 'eve')]);
    const { stored } = service.blobs;
    const keyOf = (id: string) => [...stored.keys()].find((key) => key.startsWith(uuidOf(id))) ?? '';
    const [first, second] = [stored.get(keyOf(ours)), stored.get(keyOf(theirs))];
    if (!first || !second) throw new Error('There are no states.');
    const put = (id: string, blob: typeof first) => stored.set(keyOf(id), blob);
    put(ours, second);
    put(theirs, first);
    for (const [account, id] of [
      [ada, ours],
      [eve, theirs],
    ] as const)
      expect(outcomeOf(await account.call(`POST /v1/profiles/${id}/launch`, {}))).to.equal('driver-error');
    put(ours, first);
    put(theirs, second);
    expect(await visit(eve, theirs, 'again')).to.deep.equal(['eve', '2']);
  });

  it('move with a profile that is transferred, and out of reach of its previous owner', async () => {
    const ours = await created(ada);
    await visit(ada, ours, 'ada');
    await ada.call(`POST /v1/profiles/${ours}/transfer`, { to_account_id: eve.accountId });
    const accepted = await eve.call(`POST /v1/profiles/${ours}/transfer/accept`);
    expect(accepted.status, accepted.text).to.equal(200);
    for (const verb of ['launch', 'export', 'trim'])
      expect(outcomeOf(await ada.call(`POST /v1/profiles/${ours}/${verb}`, {})), verb).to.equal('not-found');
    expect(await visit(eve, ours, 'eve')).to.deep.equal(['ada', '2']);
  });
});
