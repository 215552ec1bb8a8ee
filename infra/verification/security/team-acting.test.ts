import { expect } from 'chai';
import type { Creator } from '../../../contracts/resources/creator.ts';
import type { Answer, CallOptions } from '../../http/testing.ts';
import { aPerson, join, type Person } from '../../../write-api/testing/team.ts';
import { heldAppends } from './held-appends.ts';
import { outcomeOf, serveReadApi, startWholeService, type WholeService } from './whole-service.ts';

type Call = (target: string, options?: CallOptions) => Promise<Answer>;

const webhook = { url: 'https://receiver.example/hooks', events: ['session.completed'] };
const dataOf = ({ json }: Answer) => json.data as Record<string, unknown>[];

describe("acting on an owner's account", () => {
  let service: WholeService;
  let owner: Person;
  let admin: Person;
  let membership: Record<string, unknown>;
  const { throughStore, hold } = heldAppends();
  before(async () => {
    service = await startWholeService({ throughStore });
  });
  after(() => service.close());
  beforeEach(async () => {
    [owner, admin] = await Promise.all([aPerson(service), aPerson(service)]);
    // A key that is not known yet would wait for the writes of every account.
    expect(outcomeOf(await service.call('GET /v1/webhooks', { token: admin.token }))).to.equal(200);
    membership = await join(service, owner, admin, 'admin');
  });

  /** Created by that person, on the owner's account. */
  const act = (
    target: string,
    { token }: Pick<Person, 'token'> = admin,
    body?: unknown,
    call: Call = service.call,
  ) => call(target, { token, body, headers: { 'X-Service-Account': owner.accountId } });
  const remove = (how = '') =>
    service.call(`DELETE /v1/team/members/${String(membership.membership_id)}${how}`, {
      token: owner.token,
    });

  it('shows an admin what the owner has, immediately after joining and after each change', async () => {
    expect(outcomeOf(await act('GET /v1/webhooks'))).to.equal(200);
    const { json: made } = await service.call('POST /v1/webhooks', { token: owner.token, body: webhook });
    expect(dataOf(await act('GET /v1/webhooks')).map(({ id }) => id)).to.deep.equal([made.id]);
    const { json: acted } = await act('POST /v1/webhooks', admin, webhook);
    for (const answer of [
      await act('GET /v1/webhooks'),
      await service.call('GET /v1/webhooks', { token: owner.token }),
    ])
      expect(dataOf(answer).map(({ id }) => id)).to.deep.equal([acted.id, made.id]);
    expect(dataOf(await service.call('GET /v1/webhooks', { token: admin.token }))).to.deep.equal([]);
  });

  it('is named in what was created on the account, to the owner too, after the admin is removed', async () => {
    const by = { account_id: admin.accountId, api_key_id: admin.apiKeyId };
    const made = (await act('POST /v1/webhooks', admin, webhook)).json;
    const key = (await act('POST /v1/api-keys', admin, { name: 'theirs', scopes: ['read'] })).json;
    expect([made.created_by, key.created_by]).to.deep.equal([by, by]);
    const { json: changed } = await service.call(`PATCH /v1/webhooks/${String(made.id)}`, {
      token: owner.token,
      body: { description: 'theirs' },
    });
    expect(changed.created_by).to.deep.equal(by);
    expect((await remove()).status).to.equal(204);
    for (const [list, id] of [
      ['/v1/webhooks', made.id],
      ['/v1/api-keys', key.id],
    ]) {
      const shown = dataOf(await service.call(`GET ${String(list)}`, { token: owner.token }));
      expect(shown.find((each) => each.id === id)?.created_by).to.deep.equal(by);
    }
  });

  it("ends what was created by it if the owner's removal says so, and nothing else", async () => {
    const [hook, other] = [
      (await act('POST /v1/webhooks', admin, webhook)).json,
      (await service.call('POST /v1/webhooks', { token: owner.token, body: webhook })).json,
    ];
    const body = { name: 'theirs', scopes: ['read'] };
    const [rotated, key] = [
      (await act('POST /v1/api-keys', admin, body)).json,
      (await act('POST /v1/api-keys', admin, body)).json,
    ];
    const successor = (await act(`POST /v1/api-keys/${String(rotated.id)}/rotate`, admin, {})).json;
    const { json: own } = await service.call('POST /v1/api-keys', { token: owner.token, body });
    const path = `DELETE /v1/team/members/${String(membership.membership_id)}`;
    expect(outcomeOf(await service.call(`${path}?keys=keep`, { token: owner.token }))).to.equal(
      'validation-failed',
    );
    for (const how of ['', '?keys=revoke', '?keys=revoke'])
      expect((await service.call(`${path}${how}`, { token: owner.token })).status, how).to.equal(204);
    for (const { key: token } of [rotated, key, successor])
      expect(outcomeOf(await service.call('GET /v1/sessions', { token: String(token) }))).to.equal(
        'revoked-key',
      );
    expect(outcomeOf(await service.call('GET /v1/sessions', { token: String(own.key) }))).to.equal(200);
    const left = dataOf(await service.call('GET /v1/webhooks', { token: owner.token })).map(({ id }) => id);
    expect(left).to.deep.equal([other.id]);
    expect(left).not.to.include(hook.id);
  });

  /** A key that the admin creates on the account, with which anybody then acts as the owner. */
  const keyOfAdmin = async () =>
    (await act('POST /v1/api-keys', admin, { name: 'theirs', scopes: ['read', 'write'] })).json;

  for (const isRevoked of [false, true])
    it(`ends and names what was created with a key of the admin's, ${isRevoked ? 'revoked before' : 'too'}`, async () => {
      const key = await keyOfAdmin();
      const call = { token: String(key.key), body: webhook };
      const { json: hook } = await service.call('POST /v1/webhooks', call);
      expect(hook.created_by).to.deep.equal({ account_id: owner.accountId, api_key_id: key.id });
      if (isRevoked) await service.call(`DELETE /v1/api-keys/${String(key.id)}`, { token: owner.token });
      expect((await remove('?keys=revoke')).status).to.equal(204);
      expect(dataOf(await service.call('GET /v1/webhooks', { token: owner.token }))).to.deep.equal([]);
      const entries = dataOf(await service.call('GET /v1/account/audit-log', { token: owner.token }));
      expect(entries.find(({ action }) => action === 'team.member_removed')?.payload).to.deep.equal({
        ...{ member_account_id: admin.accountId, revoked: true },
        ...{ api_keys: isRevoked ? [] : [key.id], webhooks: [hook.id] },
      });
    });

  it('creates nothing with a key of the admin’s that is revoked meanwhile', async () => {
    const { key } = await keyOfAdmin();
    const stopped = hold('webhook_endpoint');
    const making = service.call('POST /v1/webhooks', { token: String(key), body: webhook });
    await stopped.reached;
    expect((await remove('?keys=revoke')).status).to.equal(204);
    stopped.open();
    expect(outcomeOf(await making)).to.equal('revoked-key');
    expect(dataOf(await service.call('GET /v1/webhooks', { token: owner.token }))).to.deep.equal([]);
  });

  for (const [path, category, body] of [
    ['POST /v1/api-keys', 'api_key', { name: 'theirs', scopes: ['read'] }],
    ['POST /v1/webhooks', 'webhook_endpoint', webhook],
  ] as const)
    it(`creates nothing by a request that the removal overtakes: ${path}`, async () => {
      const stopped = hold(category);
      const making = act(path, admin, body);
      await stopped.reached;
      expect((await remove()).status).to.equal(204);
      stopped.open();
      expect(outcomeOf(await making)).to.equal('not-found');
      const listed = dataOf(await service.call(path.replace('POST', 'GET'), { token: owner.token }));
      const theirs = listed.filter(
        ({ created_by, revoked_at }) =>
          (created_by as Creator | null)?.account_id === admin.accountId && !revoked_at,
      );
      expect(theirs).to.deep.equal([]);
    });

  it('shows on whose team the account is, until the removal', async () => {
    const teams = async () => (await service.call('GET /v1/account/me', { token: admin.token })).json.teams;
    const list = async (path: string, { token }: Person) =>
      dataOf(await service.call(`GET /v1/team/${path}`, { token }));
    expect(await teams()).to.deep.equal([membership]);
    expect(await list('owners', admin)).to.deep.equal([{ ...membership, email: owner.email }]);
    const [member, ...others] = await list('members', owner);
    expect({ ...member, joined_at: '' }).to.deep.equal({
      membership_id: membership.membership_id,
      account_id: admin.accountId,
      email: admin.email,
      role: 'admin',
      joined_at: '',
    });
    expect(others).to.deep.equal([]);
    await service.vault.forget(owner.accountId);
    expect(await list('owners', admin)).to.deep.equal([{ ...membership, email: 'erased' }]);
    expect((await remove()).status).to.equal(204);
    expect(await teams()).to.deep.equal([]);
    expect(await list('owners', admin)).to.deep.equal([]);
    expect(await list('members', owner)).to.deep.equal([]);
  });

  it('is recorded in the owner’s audit log with who did it', async () => {
    const { json: made } = await act('POST /v1/webhooks', admin, webhook);
    const [created, ...earlier] = dataOf(await act('GET /v1/account/audit-log'));
    expect(created).to.deep.include({
      action: 'webhook.created',
      account_id: owner.accountId,
      actor_account_id: admin.accountId,
      actor_key_id: admin.apiKeyId,
      actor_type: 'api_key',
    });
    expect(earlier.map(({ action }) => action)).to.include.members(['team.invited', 'team.member_joined']);
    const own = dataOf(await service.call('GET /v1/account/audit-log', { token: admin.token }));
    expect(own.map(({ action }) => action)).not.to.include('webhook.created');
    await remove();
    const [removed] = dataOf(await service.call('GET /v1/account/audit-log', { token: owner.token }));
    expect(removed).to.deep.include({
      action: 'team.member_removed',
      target: { type: 'team_membership', id: membership.membership_id },
      payload: {
        member_account_id: admin.accountId,
        ...{ api_keys: [], webhooks: [made.id], revoked: false },
      },
    });
  });

  it('uses the owner’s slots', async () => {
    [owner, admin] = [await aPerson(service, { tier: 'personal' }), await aPerson(service)];
    await join(service, owner, admin, 'admin');
    const { status, json } = await act('POST /v1/sessions', admin, {});
    expect([status, json.account_id]).to.deep.equal([201, owner.accountId]);
    const { token } = owner;
    const refused = await service.call('POST /v1/sessions', { token, body: {} });
    expect(outcomeOf(refused)).to.equal('concurrency-limit');
    expect(outcomeOf(await service.call('POST /v1/sessions', { token: admin.token, body: {} }))).to.equal(
      201,
    );
    expect(outcomeOf(await act(`DELETE /v1/sessions/${String(json.id)}`))).to.equal(204);
  });

  it('creates keys for the owner, but none with account_owner, and shows none that has it', async () => {
    const made = await act('POST /v1/api-keys', admin, { name: 'by the admin', scopes: ['read', 'write'] });
    expect(made.status).to.equal(201);
    const own = await service.call('GET /v1/account/me', { token: String(made.json.key) });
    expect(own.json.id).to.equal(owner.accountId);
    const { accessToken } = await service.staff.session(admin.accountId);
    const scopes = ['read', 'account_owner'];
    for (const token of [admin.token, accessToken]) {
      const refused = await act('POST /v1/api-keys', { token }, { name: 'no', scopes });
      expect(outcomeOf(refused)).to.equal('forbidden');
      const rotated = await act(`POST /v1/api-keys/${owner.apiKeyId}/rotate`, { token });
      expect(outcomeOf(rotated)).to.equal('forbidden');
    }
    const session = await service.staff.session(owner.accountId);
    const body = { name: 'the owner’s', scopes };
    const granted = await service.call('POST /v1/api-keys', { token: session.accessToken, body });
    expect(granted.status).to.equal(201);
  });

  it('is refused while the owner, or the member, is suspended, without a hint to strangers', async () => {
    const stranger = await aPerson(service);
    const both = async (person: Person) =>
      [await act('GET /v1/webhooks', person), await act('POST /v1/webhooks', person, webhook)].map(outcomeOf);
    expect(await both(admin)).to.deep.equal([200, 201]);
    const { accounts, context } = service.staff;
    for (const { accountId } of [owner, admin]) {
      await accounts.suspend(accountId, 'a test', context());
      await service.caughtUp();
      expect(await both(admin)).to.deep.equal(['forbidden', 'forbidden']);
      if (accountId === owner.accountId)
        expect(await both(stranger)).to.deep.equal(['not-found', 'not-found']);
      await accounts.unsuspend(accountId, context());
      await service.caughtUp();
    }
    expect(await both(admin)).to.deep.equal([200, 201]);
  });

  it('ends with the key that was used, on the read side too', async () => {
    const { token, apiKeyId } = admin;
    const other = await service.staff.token(admin.accountId, ['account_owner']);
    expect(outcomeOf(await act('GET /v1/webhooks'))).to.equal(200);
    await service.call(`DELETE /v1/api-keys/${apiKeyId}`, { token: other });
    expect(outcomeOf(await act('GET /v1/webhooks', { token }))).to.equal('revoked-key');
  });

  it('is refused by every process from the moment a removal was acknowledged', async () => {
    const [write, read] = [await service.serve(), await serveReadApi(service)];
    const { json } = await service.call('POST /v1/webhooks', { token: owner.token, body: webhook });
    const change = `PATCH /v1/webhooks/${String(json.id)}`;
    const listing = 'GET /v1/webhooks';
    const processes = [
      [service.call, change, webhook],
      [write.call, change, webhook],
      [service.call, listing, undefined],
      [read.call, listing, undefined],
    ] as const;
    const body = (sent: typeof webhook | undefined) => sent && { events: sent.events };

    for (let round = 0; round < 5; round += 1) {
      let removedAt = Infinity;
      const seen: { readonly startedAt: number; readonly outcome: string | number }[] = [];
      const racers = processes.flatMap(([call, target, sent]) =>
        [1, 2].map(async () => {
          for (let after = 0; after < 10;) {
            const startedAt = performance.now();
            if (startedAt > removedAt) after += 1;
            seen.push({ startedAt, outcome: outcomeOf(await act(target, admin, body(sent), call)) });
          }
        }),
      );
      expect((await remove()).status).to.equal(204);
      removedAt = performance.now();
      await Promise.all(racers);
      const late = seen.filter(({ startedAt }) => startedAt > removedAt);
      expect(late.length).to.be.at.least(80);
      expect(new Set(late.map(({ outcome }) => outcome))).to.deep.equal(new Set(['not-found']));
      expect(seen.map(({ outcome }) => outcome)).to.include(200);
      membership = await join(service, owner, admin, 'admin');
    }
    await write.close();
    await read.close();
  });
});
