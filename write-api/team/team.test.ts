import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { invitationToken } from '../../commands/team/invitation.ts';
import { dayMs } from '../../contracts/durations.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';
import { aPerson, oneTimeTokens, tokenOf as tokenIn } from '../testing/team.ts';

const outcome = ({ status, json }: Answer) =>
  status < 400 ? status : `${status} ${String(json.type).split('/').at(-1)}`;

describe('a team over HTTP', () => {
  const clock = fixedClock();
  let side: WriteSide;
  let another: Awaited<ReturnType<WriteSide['serve']>>;
  let owner: { accountId: AccountId; token: string };
  before(async () => {
    side = await startWriteSide({ clock });
    another = await side.serve();
  });
  after(async () => {
    await another.close();
    await side.close();
  });
  beforeEach(async () => {
    owner = await side.staff.account('team');
  });

  const person = () => aPerson(side, { tier: 'personal', scopes: ['read', 'account_owner'] });
  const invite = (email: string, role = 'member', { token } = owner) =>
    side.call('POST /v1/team/invites', { token, body: { email, role } });
  const accept = (token: string, text: string, call = side.call) =>
    call('POST /v1/team/invites/accept', { token, body: { token: text } });
  const remove = (id: unknown, { token } = owner, call = side.call) =>
    call(`DELETE /v1/team/members/${String(id)}`, { token });
  const eventsOf = (id: unknown) => side.events(`team_member-${uuidOf(String(id))}`);
  const typesOf = async (id: unknown) => (await eventsOf(id)).map(({ type }) => type);
  const tokenOf = (answer: Answer) => tokenIn(side, answer);
  const joined = async (role = 'member') => {
    const ada = await person();
    const answer = await accept(ada.token, await tokenOf(await invite(ada.email, role)));
    expect(answer.status).to.equal(201);
    return { ...ada, membership: answer.json };
  };

  it('invites an address, whose account joins by the token', async () => {
    const ada = await person();
    const invited = await invite(` ${ada.email.toUpperCase()}`, 'admin');
    expect(invited.status).to.equal(201);
    expect(invited.json).to.deep.equal({
      id: invited.json.id,
      email: ada.email,
      role: 'admin',
      expires_at: new Date(clock.now().getTime() + 7 * dayMs).toISOString(),
      created_at: clock.now().toISOString(),
    });
    const answer = await accept(ada.token, await tokenOf(invited));
    expect(answer.status).to.equal(201);
    expect(answer.json).to.deep.equal({
      owner_account_id: owner.accountId,
      role: 'admin',
      membership_id: answer.json.membership_id,
    });
    const [invitation, joining] = await eventsOf(answer.json.membership_id);
    expect(JSON.stringify(invitation?.data)).not.to.contain(ada.email);
    expect(invitation?.metadata.actor).to.include({ account_id: owner.accountId });
    expect(joining?.metadata.actor).to.deep.equal({
      kind: 'api_key',
      account_id: owner.accountId,
      actor_account_id: ada.accountId,
      actor_key_id: ada.apiKeyId,
    });
  });

  it('has one open invitation to an address, until it is withdrawn or has expired', async () => {
    const { email } = await person();
    const first = await invite(email);
    expect(outcome(await invite(email.toUpperCase()))).to.equal('409 conflict');
    const withdraw = () =>
      side.call(`DELETE /v1/team/invites/${String(first.json.id)}`, { token: owner.token });
    expect(outcome(await withdraw())).to.equal(204);
    expect(outcome(await withdraw())).to.equal(204);
    expect(outcome(await invite(email))).to.equal(201);
    clock.advance(7 * dayMs);
    expect(outcome(await withdraw())).to.equal('404 not-found');
    expect(outcome(await invite(email))).to.equal(201);
  });

  it('gives one of many that invite an address at once the invitation', async () => {
    const { email } = await person();
    const body = { email, role: 'member' };
    const answers = await Promise.all(
      [side, another, side, another].map(({ call }) =>
        call('POST /v1/team/invites', { token: owner.token, body }),
      ),
    );
    expect(answers.map(outcome).sort()).to.deep.equal([201, '409 conflict', '409 conflict', '409 conflict']);
  });

  it('invites neither its owner nor a member', async () => {
    const email = `${randomUUID()}@example.com`;
    const self = await side.staff.account('team', ['account_owner'], email);
    expect(outcome(await invite(email.toUpperCase(), 'member', self))).to.equal('409 conflict');
    const ada = await joined();
    expect(outcome(await invite(ada.email))).to.equal('409 conflict');
    expect(outcome(await remove(ada.membership.membership_id))).to.equal(204);
    expect(outcome(await invite(ada.email))).to.equal(201);
  });

  it('refuses a token that is used, superseded, withdrawn, expired or none, all alike', async () => {
    const ada = await person();
    const used = await invite(ada.email);
    const token = await tokenOf(used);
    clock.advance(7 * dayMs);
    expect(outcome(await accept(ada.token, token))).to.equal('401 invalid-auth-token');
    const anew = await tokenOf(await invite(ada.email));
    expect(outcome(await accept(ada.token, token))).to.equal('401 invalid-auth-token');
    expect(outcome(await accept(ada.token, anew))).to.equal(201);
    expect(outcome(await accept(ada.token, anew))).to.equal('401 invalid-auth-token');
    const bob = await person();
    const gone = await invite(bob.email);
    const goneToken = await tokenOf(gone);
    await side.call(`DELETE /v1/team/invites/${String(gone.json.id)}`, { token: owner.token });
    const otherSeat = oneTimeTokens.textOf(invitationToken(randomUUID(), randomUUID()));
    const otherSecret = oneTimeTokens.textOf(invitationToken(uuidOf(String(gone.json.id)), randomUUID()));
    for (const text of [goneToken, otherSeat, otherSecret, `${goneToken}0`, 'nonsense', bob.token])
      expect(outcome(await accept(bob.token, text)), text).to.equal('401 invalid-auth-token');
  });

  it('lets only the account of the invited address join', async () => {
    const [ada, eve] = [await person(), await person()];
    const token = await tokenOf(await invite(ada.email));
    expect(outcome(await accept(eve.token, token))).to.equal('403 forbidden');
    expect(outcome(await accept(owner.token, token))).to.equal('403 forbidden');
    expect(outcome(await accept(ada.token, token))).to.equal(201);
  });

  it('takes a token once when it is used many times at once, in two processes', async () => {
    const ada = await person();
    const invited = await invite(ada.email);
    const token = await tokenOf(invited);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => accept(ada.token, token, (n % 2 === 0 ? side : another).call)),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect(answers.filter((each) => outcome(each) === '401 invalid-auth-token')).to.have.length(9);
    expect(await typesOf(invited.json.id)).to.deep.equal(['TeamMemberInvited', 'TeamMemberJoined']);
  });

  it('removes a member once, also when that races with the joining', async () => {
    const ada = await person();
    const invited = await invite(ada.email);
    const id = String(invited.json.id).replace('inv_', 'mem_');
    const [joining, removal] = await Promise.all([
      accept(ada.token, await tokenOf(invited)),
      remove(id, owner, another.call),
    ]);
    expect(joining.status).to.equal(201);
    expect(outcome(removal)).to.be.oneOf([204, '404 not-found']);
    expect(outcome(await remove(id))).to.equal(204);
    expect(await typesOf(id)).to.deep.equal(['TeamMemberInvited', 'TeamMemberJoined', 'TeamMemberRemoved']);
  });

  it('shows no one what belongs to another team', async () => {
    const stranger = await person();
    const { membership } = await joined();
    const { json } = await invite((await person()).email);
    for (const target of [
      `DELETE /v1/team/members/${String(membership.membership_id)}`,
      `DELETE /v1/team/invites/${String(json.id)}`,
    ])
      expect(outcome(await side.call(target, { token: stranger.token }))).to.equal('404 not-found');
  });

  it('is for its owner alone to change', async () => {
    const { accountId } = owner;
    const token = await side.staff.token(accountId, ['read', 'write']);
    for (const target of [
      'POST /v1/team/invites',
      'POST /v1/team/invites/accept',
      'DELETE /v1/team/members/none',
      'DELETE /v1/team/invites/none',
    ])
      expect(outcome(await side.call(target, { token, body: {} })), target).to.equal('403 forbidden');
  });

  it('takes no address that is none, and no other role', async () => {
    for (const body of [
      { email: 'nobody', role: 'member' },
      { email: 'a b@example.com', role: 'member' },
      { email: 'ada@example.com', role: 'owner' },
      { email: 'ada@example.com' },
    ]) {
      const answer = await side.call('POST /v1/team/invites', { token: owner.token, body });
      expect(outcome(answer), JSON.stringify(body)).to.equal('400 validation-failed');
    }
  });
});
