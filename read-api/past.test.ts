import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { DomainEvent } from '../contracts/events/catalogue.ts';
import { toId, uuidOf, type AccountId } from '../contracts/ids.ts';
import { routes, type Route } from '../contracts/routes/index.ts';
import { positionText } from '../infra/event-store/client/position.ts';
import { sealedStore } from '../infra/personal/sealed-store.ts';
import { rebuildProjection } from '../projections/index.ts';
import {
  aSession,
  at,
  by,
  metadataBy,
  ready,
  requested,
  sessionStream,
} from '../projections/testing/index.ts';
import { aheadClock, asking, entriesIn, errorsOf, nextMinute } from './engine/testing.ts';
import { outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('the past', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi({ clock: aheadClock });
    api.project();
  });
  after(() => api.close());

  const { get, asOf, aLife } = asking(() => api);

  it('of a position is what was there, and says which one it is; before it was there it is not found', async () => {
    const { wasDestroyed: before } = await aLife();
    const { token, path, wasRequested, wasReady } = await aLife();
    const then = await asOf(token, path, wasReady);
    expect(then.json).to.include({ status: 'ready', destroyed_at: null });
    expect(then.headers).to.include({ 'x-service-as-of': positionText(wasReady) });
    expect((await asOf(token, path, wasRequested)).json).to.include({ status: 'creating' });
    expect((await get(token, path)).json).to.include({ status: 'destroyed' });
    expect((await get(token, path)).headers).not.to.have.property('x-service-as-of');
    expect(outcomeOf(await asOf(token, path, before))).to.equal('not-found');
  });

  it('of a time is what was committed by its full minute, and never later than that', async () => {
    const { token, path, wasDestroyed } = await aLife();
    const minute = nextMinute();
    const within = await asOf(token, path, new Date(minute.getTime() + 59_999));
    expect(within.json).to.include({ status: 'destroyed' });
    const [, commit = ''] = /^(\d+)\//.exec(String(within.headers['x-service-as-of'])) ?? [];
    expect(BigInt(commit) >= wasDestroyed.commit).to.equal(true);
    expect(outcomeOf(await asOf(token, path, new Date(Date.now() - 3_600_000)))).to.equal('not-found');
    expect(outcomeOf(await asOf(token, path, '1969-01-01T00:00:00Z'))).to.equal('not-found');
  });

  it('is refused for what is no moment, and for what is ahead, by its field', async () => {
    const { token, path, wasDestroyed } = await aLife();
    const ahead = positionText({ commit: wasDestroyed.commit + 10n ** 12n, prepare: wasDestroyed.prepare });
    const wrong = ['', 'yesterday', '7', '7/', '-1/-1', '1/2/3', '2026-02-30T00:00:00Z', '2026-01-01', ahead];
    const moments = [...wrong, '2026-01-01T00:00:00', '9999-12-31T23:59:59Z', '1'.repeat(19).concat('/1')];
    for (const moment of moments) {
      const answer = await asOf(token, path, moment);
      expect([outcomeOf(answer), moment]).to.deep.equal(['validation-failed', moment]);
      expect(errorsOf(answer)).to.deep.equal(['/query/as_of']);
      for (const [from, to, field] of [
        [moment, positionText(wasDestroyed), 'from'],
        [positionText(wasDestroyed), moment, 'to'],
      ] as const) {
        const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
        const folded = await get(token, `${path}/history?${query}`);
        expect(errorsOf(folded), moment).to.deep.equal([`/query/${field}`]);
      }
    }
    const twice = await get(token, `${path}?as_of=1%2F1&as_of=2%2F2`);
    expect(outcomeOf(twice)).to.equal('validation-failed');
  });

  it('is of one resource: a list, and whatever else has none, refuses a moment', async () => {
    const { token } = await aLife();
    const without = (routes as readonly Route[]).filter(
      ({ method, side, path, query = {}, scopes }) =>
        method === 'GET' && side === 'read' && !('as_of' in query) && !path.includes('{') && scopes !== null,
    );
    for (const { path, query = {} } of without) {
      const month = 'month' in query ? '&month=2026-01' : '';
      const answer = await get(token, `${path}?as_of=1%2F1${month}`);
      expect([outcomeOf(answer), path]).to.deep.equal(['validation-failed', path]);
      expect(errorsOf(answer)).to.deep.equal(['/query/as_of']);
    }
  });

  it('and the history of what is foreign, missing or no id are not found', async () => {
    const [own, other] = [await aLife(), await aLife()];
    const ids = [other.id, aSession(), 'ses_x', toId('account', uuidOf(own.id))];
    for (const id of ids)
      for (const path of [
        `?as_of=${encodeURIComponent(positionText(own.wasDestroyed))}`,
        '?as_of=x',
        '/history',
      ])
        expect(outcomeOf(await get(own.token, `/v1/sessions/${id}${path}`))).to.equal('not-found');
  });

  it('is not changed by being asked for', async () => {
    const { token, path, wasReady } = await aLife();
    await api.caughtUp();
    const head = await api.store.head();
    await asOf(token, path, wasReady);
    await get(token, `${path}/history`);
    expect(await api.store.head()).to.deep.equal(head);
  });

  it('is the same after a rebuild of its tables', async () => {
    const { token, path, wasReady } = await aLife();
    const minute = nextMinute();
    const pasts = () =>
      Promise.all([wasReady, minute].map(async (each) => (await asOf(token, path, each)).json));
    const before = await pasts();
    for (const name of ['sessions', 'committed_minutes'])
      await rebuildProjection(name, { store: api.store, pool: api.postgres.pool });
    expect(await pasts()).to.deep.equal(before);
  });

  it('reaches behind an upcast', async () => {
    const { account, key } = await api.addAccount();
    const id = aSession();
    const metadata = { ...by(account), schema_version: 1 };
    const position = await api.append(sessionStream(id), [requested(id, account)], metadata);
    await api.append(sessionStream(id), [ready(id)], by(account));
    await api.caughtUp();
    expect((await asOf(key.text, `/v1/sessions/${id}`, position)).json).to.include({
      ...{ status: 'creating', profile_id: null },
    });
  });

  it('of an incident that the public status has forgotten is still there, and needs no credential', async () => {
    const incidentId = toId('incident', randomUUID());
    const incident = {
      ...{ incidentId, title: 'Slow', impact: 'minor', components: ['api'], message: 'We look into it.' },
      at: '2020-01-01T00:00:00.000Z',
    };
    const opened = await api.append(`incident-${uuidOf(incidentId)}`, [
      { type: 'IncidentOpened', data: incident },
    ]);
    const data = { incidentId, message: 'Over.', at: '2020-01-01T01:00:00.000Z' };
    await api.append(`incident-${uuidOf(incidentId)}`, [{ type: 'IncidentResolved', data }], {
      actor: { kind: 'staff', account_id: null, actor_account_id: toId('account', randomUUID()) },
    });
    const ask = (rest: string) => api.call(`GET /v1/status/incidents/${incidentId}${rest}`, { token: null });
    expect((await ask('')).json).to.include({ status: 'resolved' });
    expect((await ask(`?as_of=${encodeURIComponent(positionText(opened))}`)).json).to.include({
      status: 'investigating',
    });
    const [last] = entriesIn(await ask('/history'));
    expect(last).to.deep.include({
      ...{ action: 'IncidentResolved', request_id: null },
      actor: { kind: 'staff', account_id: null },
    });
  });

  it('is read by the current members of the team, in their current roles', async () => {
    const [owner, member] = [await aLife(), await api.addAccount()];
    const of = (membershipId: string) => ({ membershipId, ownerAccountId: owner.account });
    const acting = { 'x-service-account': owner.account };
    const ask = async (path = owner.path) =>
      outcomeOf(await asOf(member.key.text, path, owner.wasReady, acting));
    const join = async (role: 'member' | 'admin') => {
      const membershipId = toId('membership', randomUUID());
      const joined = { ...of(membershipId), accountId: member.account, role, at };
      const seat = `team_member-${uuidOf(membershipId)}`;
      await api.write(owner.account, seat, [{ type: 'TeamMemberJoined', data: joined }]);
      await api.caughtUp();
      return async () => {
        const removed = { ...of(membershipId), accountId: member.account, made: null, revokes: false, at };
        await api.append(seat, [{ type: 'TeamMemberRemoved', data: removed }], {
          ...by(owner.account),
          schema_version: 2,
        });
        await api.caughtUp();
      };
    };
    const webhook = `/v1/webhooks/whk_${randomUUID()}`;
    expect(await ask()).to.equal('not-found');
    const leave = await join('member');
    expect([await ask(), await ask(webhook)]).to.deep.equal([200, 'forbidden']);
    await leave();
    expect(await ask()).to.equal('not-found');
    await join('admin');
    expect([await ask(), await ask(webhook)]).to.deep.equal([200, 'not-found']);
  });

  it('is read with the scopes that a key has now, and with none of an account that was erased', async () => {
    const { account, token, path, wasReady } = await aLife();
    const narrow = await api.addKey(account, { scopes: ['write:sessions'] });
    for (const rest of ['', '/history'])
      expect(outcomeOf(await asOf(narrow.text, `${path}${rest}`, wasReady))).to.equal('forbidden');
    await api.write(account, `account-${uuidOf(account)}`, [
      { type: 'AccountErased', data: { accountId: account, at } },
    ]);
    await api.vault.forget(account);
    expect(outcomeOf(await asOf(token, path, wasReady))).to.equal('invalid-key');
  });

  describe('of a profile', () => {
    const profileEvent = (type: string, profileId: string, accountId: AccountId, more = {}): DomainEvent => ({
      type,
      data: { profileId, accountId, ...more, at },
    });
    async function aProfile() {
      const { account, key } = await api.addAccount();
      const id = toId('profile', randomUUID());
      const stream = `profile-${uuidOf(id)}`;
      const sealing = sealedStore(api.store, api.vault);
      const append = async (event: DomainEvent, owner = account) => {
        const appended = { ...event, id: randomUUID(), metadata: metadataBy(owner) };
        const { position } = await sealing.append(stream, 'any', [appended]);
        await api.caughtUp(position);
        return position;
      };
      const facts = {
        ...{ name: 'Work', archetype: 'iphone-15', description: 'of Ada', noiseSeed: 'A'.repeat(22) },
        ...{ origin: { kind: 'created' }, state: null },
      };
      const created = await append(profileEvent('ProfileCreated', id, account, facts));
      return { account, token: key.text, id, path: `/v1/profiles/${id}`, created, append };
    }

    it('is there while it is in the trash, and gone with it once it is purged', async () => {
      const { account, token, id, path, created, append } = await aProfile();
      const purgeAt = '2026-02-04T12:02:00.000Z';
      const trashed = await append(profileEvent('ProfileTrashed', id, account, { purgeAt }));
      expect(outcomeOf(await get(token, path))).to.equal('not-found');
      expect(outcomeOf(await asOf(token, path, trashed))).to.equal('not-found');
      expect((await asOf(token, path, created)).json).to.include({ name: 'Work', description: 'of Ada' });
      const [gone, made] = entriesIn(await get(token, `${path}/history`));
      expect(gone?.changes).to.deep.include({ path: '/name', before: 'Work' });
      expect(made?.changes).to.deep.include({ path: '/name', after: 'Work' });
      await append(profileEvent('ProfilePurged', id, account, { cause: 'owner' }));
      for (const rest of [`?as_of=${encodeURIComponent(positionText(created))}`, '/history', ''])
        expect(outcomeOf(await get(token, `${path}${rest}`)), rest).to.equal('not-found');
    });

    it('goes with it to another account, which does not learn who did what before', async () => {
      const { account, token, id, path, created, append } = await aProfile();
      const next = await api.addAccount();
      const given = { fromAccountId: account, bytes: 0, name: 'Gift', description: null };
      await append(profileEvent('ProfileTransferred', id, next.account, given));
      expect(outcomeOf(await asOf(token, path, created))).to.equal('not-found');
      expect(outcomeOf(await get(token, `${path}/history`))).to.equal('not-found');
      expect((await asOf(next.key.text, path, created)).json).to.include({ name: 'Work' });
      const entries = entriesIn(await get(next.key.text, `${path}/history`));
      for (const { actor, request_id, audit_entry_id } of entries)
        expect({ actor, request_id, audit_entry_id }).to.deep.equal({
          ...{ actor: { kind: 'api_key', account_id: null }, request_id: null },
          audit_entry_id: undefined,
        });
      await api.vault.forget(account);
      expect((await asOf(next.key.text, path, created)).json).to.include({ name: '', description: '' });
      expect((await get(next.key.text, path)).json).to.include({ name: 'Gift' });
    });
  });
});
