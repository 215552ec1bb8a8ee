import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { dayMs } from '../contracts/durations.ts';
import { invitedEmail, type TeamMemberEvent } from '../contracts/events/team-member.ts';
import { toId, uuidOf, type AccountId } from '../contracts/ids.ts';
import { withOwnKey } from '../infra/vault/own-key.ts';
import { at, by } from '../projections/testing/index.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from './testing.ts';

const ownKeys = [randomUUID(), randomUUID()] as const;
const later = (ms: number) => new Date(Date.parse(at) + ms).toISOString();

describe('teams on the read side', () => {
  let api: ReadApi;
  let projector: ReturnType<ReadApi['project']>;
  let owner: Awaited<ReturnType<ReadApi['addAccount']>>;
  let member: typeof owner;
  before(async () => {
    api = await startReadApi({ maxWaitMs: 2_000 });
    projector = api.project();
  });
  after(() => api.close());
  beforeEach(async () => {
    [owner, member] = [await api.addAccount('owner@example.com'), await api.addAccount('member@example.com')];
  });

  /** Position of the last write on the owner's account, which reads wait for. */
  let written = '';
  const get = (path: string, { key } = owner, headers: Record<string, string> = {}) =>
    api.call(`GET ${path}`, { token: key.text, headers: { 'X-Service-Min-Position': written, ...headers } });
  const write = async (seat: string, ownerAccountId: AccountId, event: TeamMemberEvent) => {
    const { commit, prepare } = await api.write(ownerAccountId, `team_member-${seat}`, [event]);
    written = `${commit}/${prepare}`;
  };
  async function invite(email: string, n: number, ownerAccountId = owner.account) {
    const seat = randomUUID();
    const sealedEmail = await api.vault.seal(ownerAccountId, invitedEmail, email);
    const of = { membershipId: toId('membership', seat), ownerAccountId };
    const facts = { sealedEmail, role: 'member', tokenId: seat, expiresAt: later(n + 7 * dayMs) } as const;
    await write(seat, ownerAccountId, { type: 'TeamMemberInvited', data: { ...of, ...facts, at: later(n) } });
    return of;
  }
  async function join(n = 0, { account } = owner, accountId = member.account) {
    const of = await invite('invited@example.com', n, account);
    const data = { ...of, accountId, role: 'member', at: later(n) } as const;
    await write(uuidOf(of.membershipId), account, { type: 'TeamMemberJoined', data });
    return of;
  }
  const leave = (of: Awaited<ReturnType<typeof join>>, accountId = member.account) =>
    write(uuidOf(of.membershipId), of.ownerAccountId, {
      type: 'TeamMemberRemoved',
      data: { ...of, accountId, made: null, revokes: false, at },
    });

  it('lists invitations while they are open, page by page', async () => {
    for (const n of [1, 2, 3]) await invite(`person-${n}@example.com`, n);
    await join(4);
    const first = await get('/v1/team/invites?limit=2');
    expect(dataOf(first).map(({ email }) => email)).to.deep.equal([
      'person-3@example.com',
      'person-2@example.com',
    ]);
    expect(first.json.has_more).to.equal(true);
    const second = await get(`/v1/team/invites?limit=2&cursor=${String(first.json.next_cursor)}`);
    const [last] = dataOf(second);
    expect(last).to.deep.include({ email: 'person-1@example.com', role: 'member', created_at: later(1) });
    expect(last?.expires_at).to.equal(later(1 + 7 * dayMs));
    expect(second.json).to.deep.include({ has_more: false, next_cursor: '' });
    api.advance(2 + 7 * dayMs);
    expect(dataOf(await get('/v1/team/invites')).map(({ email }) => email)).to.deep.equal([
      'person-3@example.com',
    ]);
    api.advance(-2 - 7 * dayMs);
  });

  it('lists members and owners page by page, and those that were removed in none', async () => {
    const others = [];
    for (const n of [1, 2, 3]) {
      const other = await api.addAccount(`person-${n}@example.com`);
      others.push(other);
      await join(n, owner, other.account);
      await join(n, other, member.account);
    }
    const gone = await join(4);
    const emails = async (path: string, who: typeof owner) =>
      dataOf(await get(path, who)).map(({ email }) => email);
    expect(await emails('/v1/team/members', owner)).to.have.length(4);
    await leave(gone);
    const expected = ['person-3@example.com', 'person-2@example.com', 'person-1@example.com'];
    expect(await emails('/v1/team/members', owner)).to.deep.equal(expected);
    expect(await emails('/v1/team/owners', member)).to.deep.equal(expected);
    const { json } = await get('/v1/team/owners?limit=2', member);
    const rest = `/v1/team/owners?limit=2&cursor=${String(json.next_cursor)}`;
    expect(await emails(rest, member)).to.deep.equal(expected.slice(2));
  });

  it('shows an account the newest hundred of its memberships', async () => {
    const joined = [];
    for (let n = 0; n < 101; n += 1) {
      const other = await api.addAccount();
      joined.push((await join(n, other)).membershipId);
    }
    const teams = (await get('/v1/account/me', member)).json.teams as { membership_id: string }[];
    expect(teams.map(({ membership_id }) => membership_id)).to.deep.equal(joined.reverse().slice(0, 100));
  });

  it('shows the address of an invitation with a key of its own until that is destroyed', async () => {
    const emails = async () => dataOf(await get('/v1/team/invites')).map(({ email }) => email);
    const of = await invite(await withOwnKey(api.vault, ownKeys[0], invitedEmail, 'ada@example.com'), 1);
    expect(await emails()).to.deep.equal(['ada@example.com']);
    await api.vault.forget(ownKeys[0]);
    expect(await emails()).to.deep.equal(['erased']);
    const { ownerAccountId } = of;
    await write(uuidOf(of.membershipId), ownerAccountId, {
      type: 'TeamInvitationWithdrawn',
      data: { ...of, at },
    });
  });

  it('shows an address whose key is missing as unreadable, and the others of the page', async () => {
    const sealed = await withOwnKey(api.vault, ownKeys[1], invitedEmail, 'ada@example.com');
    await invite(sealed.replace(ownKeys[1], randomUUID()), 1);
    await invite('bob@example.com', 2);
    const answer = await get('/v1/team/invites');
    expect(dataOf(answer).map(({ email }) => email)).to.deep.equal(['bob@example.com', 'unreadable']);
  });

  it('shows an erased address as such', async () => {
    await join();
    await api.vault.forget(member.account);
    expect(dataOf(await get('/v1/team/members'))[0]).to.include({ email: 'erased' });
  });

  for (const waitsFor of ['its own last write', 'the position in its header'])
    it(`lets a member who has just joined in once ${waitsFor} is read`, async () => {
      const { ownerAccountId, membershipId } = await invite('member@example.com', 0);
      expect(outcomeOf(await get('/v1/sessions', member))).to.equal(200);
      await projector.close();
      const data = { membershipId, ownerAccountId, accountId: member.account, role: 'member', at } as const;
      const joined = [{ type: 'TeamMemberJoined', data }] as const;
      const stream = `team_member-${uuidOf(membershipId)}`;
      const { commit, prepare } = await api.append(stream, joined, by(ownerAccountId));
      const isInHeader = waitsFor.endsWith('header');
      if (!isInHeader) await api.addKey(member.account);
      const headers = {
        'X-Service-Account': owner.account,
        ...(isInHeader && { 'X-Service-Min-Position': `${commit}/${prepare}` }),
      };
      const act = () => api.call('GET /v1/sessions', { token: member.key.text, headers });
      expect(outcomeOf(await act())).to.equal('feature-unavailable');
      projector = api.project();
      expect(outcomeOf(await act())).to.equal(200);
    });

  it('reads of an owner’s account nothing that it cannot read freshly', async () => {
    const acting = { 'X-Service-Account': owner.account };
    const membership = await join();
    expect(outcomeOf(await get('/v1/sessions', member, acting))).to.equal(200);
    await projector.close();
    await leave(membership);
    expect(outcomeOf(await get('/v1/sessions', member, acting))).to.equal('feature-unavailable');
    expect(outcomeOf(await get('/v1/sessions', owner))).to.equal(200);
    projector = api.project();
    expect(outcomeOf(await get('/v1/sessions', member, acting))).to.equal('not-found');
  });
});
