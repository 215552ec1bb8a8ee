import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { commands } from '../../domain/agent-session/testing.ts';
import { profile } from '../../domain/profile/profile.ts';
import { profileSnapshot } from '../../domain/profile-snapshot.ts';
import { seatUuid, teamMember } from '../../domain/team-member.ts';
import { accountQuotas } from '../account/quotas.ts';
import { kindOfQuota, quotasOfErasure } from '../account/testing.ts';
import { reserve } from '../engine/reservations.ts';
import { newContext } from '../session/testing.ts';
import { lateErasureManagers } from './late-erasures.ts';
import { openMailWorld, type MailWorld } from './mail/testing.ts';

/** Recorded after the erasure was carried out, by a request admitted before it. */
describe('a resource created during the erasure of its account ends', () => {
  let world: MailWorld;
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());

  const at = () => world.clock.now().toISOString();
  const erased = async () => {
    const { accountId } = await world.newOwner();
    await world.commands.erasure.erase(accountId, newContext(null));
    return accountId;
  };
  const present = async () => (await world.newOwner()).accountId;
  /** Runs the managers' reactions to a whole stream. */
  const react = async (stream: string) => {
    const managers = lateErasureManagers(world);
    for await (const event of world.store.readStream(stream))
      for (const manager of managers.filter(({ types }) => types.includes(event.type)))
        await manager.handle(event);
  };

  // Keys are admitted on the account's own stream, which refuses them.
  for (const name of quotasOfErasure.filter((each) => each !== 'api_keys'))
    it(`as a reservation of the quota of ${name}, whose resource can then no longer be created`, async () => {
      const quota = accountQuotas(world)[name];
      const id = toId(kindOfQuota[name], randomUUID());
      for (const [accountId, left] of [
        [await erased(), []],
        [await present(), [id]],
      ] as const) {
        await reserve(quota, { accountId, id, name: null }, newContext(accountId));
        await react(`${quota.quota.category.name}-${uuidOf(accountId)}`);
        const { reservations } = await quota.quota.load(uuidOf(accountId));
        expect(reservations.map((each) => each.id)).to.deep.equal(left);
      }
    });

  it('as a registered webhook endpoint, with its share of the quota', async () => {
    const accountId = await present();
    const erase = { type: 'EraseAccount', at: at() } as const;
    await world.runner.run(account, uuidOf(accountId), erase, newContext(accountId));
    const id = await world.register(accountId);
    await react(`account_webhooks-${uuidOf(accountId)}`);
    expect(await accountQuotas(world).webhooks.resourceOf(id, accountId)).to.deep.equal({ kind: 'ended' });
  });

  const newProfile = async (accountId: AccountId) => {
    const profileId = toId('profile', randomUUID());
    const facts = { name: 'late', archetype: 'iphone-15', description: null, noiseSeed: 'AAAA', state: null };
    const origin = { kind: 'created' } as const;
    const command = { type: 'CreateProfile', profileId, accountId, ...facts, origin, at: at() } as const;
    await world.runner.run(profile, uuidOf(profileId), command, newContext(accountId));
    return profileId;
  };

  it('as a profile that was transferred after its reservation had been released', async () => {
    const [source, accountId] = [await present(), await erased()];
    const profileId = await newProfile(source);
    const [uuid, expiresAt] = [uuidOf(profileId), '2099-01-01T00:00:00.000Z'];
    const offer = { type: 'OfferTransfer', toAccountId: accountId, expiresAt, at: at() } as const;
    await world.runner.run(profile, uuid, offer, newContext(source));
    const accepted = { accountId, name: 'late', reservedAt: at() };
    const accept = { type: 'AcceptTransfer', ...accepted, at: at() } as const;
    await world.runner.run(profile, uuid, accept, newContext(accountId));
    await react(`profile-${uuid}`);
    expect((await world.runner.load(profile, uuid)).state.status).to.equal('purged');
  });

  it('as a captured snapshot', async () => {
    for (const [accountId, status] of [
      [await erased(), 'deleted'],
      [await present(), 'kept'],
    ] as const) {
      const snapshotId = toId('profileSnapshot', randomUUID());
      const parent = {
        profileId: toId('profile', randomUUID()),
        parentName: 'x',
        parentArchetype: 'iphone-15',
      };
      const facts = { snapshotId, accountId, ...parent, label: 'x', description: null };
      const command = { type: 'CaptureSnapshot', ...facts, at: at() } as const;
      const uuid = uuidOf(snapshotId);
      await world.runner.run(profileSnapshot, uuid, command, newContext(accountId));
      await react(`profile_snapshot-${uuid}`);
      expect((await world.runner.load(profileSnapshot, uuid)).state.status).to.equal(status);
    }
  });

  it('as a membership, if either of its two accounts was erased', async () => {
    for (const [ownerAccountId, memberAccountId, status] of [
      [await erased(), await present(), 'removed'],
      [await present(), await erased(), 'removed'],
      [await present(), await present(), 'joined'],
    ] as const) {
      const seat = seatUuid(ownerAccountId, randomUUID());
      const tokenId = randomUUID();
      const membershipId = toId('membership', seat);
      const invitation = {
        membershipId,
        ownerAccountId,
        role: 'member',
        sealedEmail: 'sealed',
        tokenId,
      } as const;
      const expiresAt = '2099-01-01T00:00:00.000Z';
      const invite = { type: 'InviteMember', ...invitation, lapses: 0, expiresAt, at: at() } as const;
      await world.runner.run(teamMember, seat, invite, newContext(ownerAccountId));
      const joining = { tokenId, memberAccountId, isInvited: true };
      const accept = { type: 'AcceptInvitation', ...joining, at: at() } as const;
      await world.runner.run(teamMember, seat, accept, newContext(memberAccountId));
      await react(`team_member-${seat}`);
      expect((await world.runner.load(teamMember, seat)).state.status).to.equal(status);
    }
  });

  it('as a created agent session', async () => {
    for (const [accountId, reason] of [
      [await erased(), 'account-erased'],
      [await present(), null],
    ] as const) {
      const agentSessionId = toId('agentSession', randomUUID());
      const uuid = uuidOf(agentSessionId);
      const create = commands.CreateAgentSession({
        agentSessionId,
        accountId,
        createdBy: accountId,
        at: at(),
      });
      await world.runner.run(agentSession, uuid, create, newContext(accountId));
      await react(`agent_session-${uuid}`);
      const { state } = await world.runner.load(agentSession, uuid);
      expect(exists(state) && state.closedReason).to.equal(reason);
    }
  });
});
