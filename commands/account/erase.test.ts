import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { categories } from '../../contracts/events/index.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { laterQuotaNames, quotaNames } from '../../contracts/resources/account-limits.ts';
import { account } from '../../domain/account.ts';
import { apiKey } from '../../domain/api-key.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { profileSnapshot } from '../../domain/profile-snapshot.ts';
import { recipeNoun } from '../../domain/recipe/recipe.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { hashApiKey, issueApiKey, keyedUuid, onlyPepper } from '../../infra/keys/index.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { openMailWorld, type MailWorld } from '../process-managers/mail/testing.ts';
import { pepper } from '../process-managers/testing.ts';
import { createProfileCommands } from '../profile/index.ts';
import { createRecordCommands } from '../engine/records.ts';
import { reserve } from '../engine/reservations.ts';
import { newContext } from '../session/testing.ts';
import { createTeamCommands, type TeamCommands } from '../team/index.ts';
import { invitationToken } from '../team/invitation.ts';
import type { Erasure } from './erase.ts';
import { accountQuotas } from './quotas.ts';
import { kindOfQuota, quotasOfErasure } from './testing.ts';

const tokens = createOneTimeTokens(onlyPepper(pepper));
const emailUuid = (email: string) => keyedUuid(email, pepper);

interface Owner {
  readonly accountId: AccountId;
  readonly email: string;
}

describe('the erasure of an account', () => {
  let world: MailWorld;
  let team: TeamCommands;
  let erasure: Erasure;
  before(async () => {
    world = await openMailWorld();
    team = createTeamCommands({
      ...world,
      ...{ emailUuid, tokens, inviteTtlMs: 86_400_000 },
      recordPosition: () => Promise.resolve(),
    });
    ({ erasure } = world.commands);
  });
  after(() => world.close());

  const invite = async ({ accountId }: Owner, { email }: Pick<Owner, 'email'>) => {
    const context = newContext(accountId);
    const { invitation } = await team.invite({ accountId, tier: 'team' }, { email, role: 'member' }, context);
    const seat = uuidOf(invitation.id);
    return { seat, token: tokens.textOf(invitationToken(seat, await tokenIdOf(seat))) };
  };
  const accept = ({ accountId }: Owner, token: string) =>
    team.accept(accountId, token, newContext(accountId));
  const join = async (owner: Owner, member: Owner): Promise<string> => {
    const { seat, token } = await invite(owner, member);
    await accept(member, token);
    return seat;
  };
  const eventsOf = async (seat: string) => {
    const events: RecordedEvent[] = [];
    for await (const event of world.store.readStream(`team_member-${seat}`)) events.push(event);
    return events;
  };
  const typesOf = async (seat: string) => (await eventsOf(seat)).map(({ type }) => type);
  const tokenIdOf = async (seat: string) =>
    (await eventsOf(seat)).map(({ data }) => (data as { tokenId?: string }).tokenId ?? '').at(-1) ?? '';
  /** The state that a process killed right after recording the erasure leaves. */
  const recordErasure = ({ accountId }: Owner) => {
    const command = { type: 'EraseAccount', at: world.clock.now().toISOString() } as const;
    return world.runner.run(account, uuidOf(accountId), command, newContext(accountId));
  };
  const joined = ['TeamMemberInvited', 'TeamMemberJoined'];

  it('ends the memberships of its team, its own on other teams, and its invitations, and no others', async () => {
    const [erased, member, boss] = [await world.newOwner(), await world.newOwner(), await world.newOwner()];
    const [onItsTeam, onAnother] = [await join(erased, member), await join(boss, erased)];
    const unrelated = await join(boss, member);
    const { seat: invited, token } = await invite(erased, boss);
    await erasure.erase(erased.accountId, newContext(null));
    for (const seat of [onItsTeam, onAnother])
      expect(await typesOf(seat)).to.deep.equal([...joined, 'TeamMemberRemoved']);
    expect(await typesOf(invited)).to.deep.equal(['TeamMemberInvited', 'TeamInvitationWithdrawn']);
    expect(await typesOf(unrelated)).to.deep.equal(joined);
    await expectRefused(accept(boss, token));
  });

  for (const name of quotasOfErasure)
    it(`releases the reservations of the quota of ${name}, whose resources can then no longer be created`, async () => {
      const { accountId } = await world.newOwner();
      const quota = accountQuotas(world)[name];
      const id = toId(kindOfQuota[name], randomUUID());
      await reserve(quota, { accountId, id, name: null }, newContext(accountId));
      await erasure.erase(accountId, newContext(null));
      expect((await quota.quota.load(uuidOf(accountId))).reservations).to.deep.equal([]);
      // An address can be invited again; a withdrawn id is not aware of that, and is refused.
      const over = { kind: name === 'invitations' ? 'not created' : 'ended' };
      expect(await quota.resourceOf(id, accountId)).to.deep.equal(over);
    });

  /** A key and its rotation, as left by a process killed right after recording it. */
  const rotated = async ({ accountId }: Owner) => {
    const { apiKeys } = world.commands;
    const given = { name: 'a key', scopes: ['read'], expiresAt: null } as const;
    const { record } = await apiKeys.create(accountId, given, 'staff', newContext(accountId));
    const { id, prefix, last4, text } = issueApiKey();
    const at = world.clock.now().toISOString();
    const successor = { apiKeyId: id, prefix, last4, hash: hashApiKey(text, pepper) };
    const rotate = { type: 'RotateApiKey', successor, graceEndsAt: at, at } as const;
    const { events } = await world.runner.run(apiKey, uuidOf(record.apiKeyId), rotate, newContext(accountId));
    const [event] = events;
    if (event?.type !== 'ApiKeyRotated') throw new Error('The key was not rotated.');
    const statuses = async () => {
      const load = async (key: string) => (await world.runner.load(apiKey, uuidOf(key))).state.status;
      return Promise.all([record.apiKeyId, id].map(load));
    };
    return { finish: () => apiKeys.ensureSuccessor(event.data, newContext(accountId)), statuses };
  };

  it('revokes the successor of a rotated key, whether it is created before, during or after the erasure', async () => {
    const [before, between, after] = [await world.newOwner(), await world.newOwner(), await world.newOwner()];
    const [one, two, three] = [await rotated(before), await rotated(between), await rotated(after)];
    await one.finish();
    await erasure.erase(before.accountId, newContext(null));
    await recordErasure(between);
    await two.finish();
    await erasure.carryOut(between.accountId, newContext(null));
    await erasure.erase(after.accountId, newContext(null));
    await three.finish();
    // A key that was replaced holds no reservation, and ends with its grace period.
    expect(await one.statuses()).to.deep.equal(['rotated', 'revoked']);
    for (const key of [two, three]) expect(await key.statuses()).to.deep.equal(['revoked', 'revoked']);
    for (const { accountId } of [before, between, after])
      expect((await accountQuotas(world).api_keys.quota.load(uuidOf(accountId))).reservations).to.deep.equal(
        [],
      );
  });

  it('deletes its recipes', async () => {
    const { accountId } = await world.newOwner();
    const recipes = createRecordCommands(world, recipeNoun);
    const fields = {
      ...{ agentSessionId: toId('agentSession', randomUUID()), archetype: 'iphone-15', version: 1 },
      ...{ fromIndex: 0, toIndex: 1, sourceHash: '0'.repeat(64), sealedBody: 'sealed' },
    };
    const { record } = await recipes.create(accountId, fields, newContext(accountId));
    await erasure.erase(accountId, newContext(null));
    const { state } = await world.runner.load(recipeNoun.record, uuidOf(record.id));
    expect(state.status).to.equal('deleted');
  });

  it('covers every quota', () => {
    const reserving = Object.values(categories).filter(({ types }) =>
      Object.keys(types).some((type) => /(Reserved|Admitted)$/.test(type)),
    );
    /** Sessions end as those of a suspended account do, snapshots with their profile, and the address is released. */
    const otherwise = ['account_slots', 'profile_snapshots', 'email'];
    /** Nouns without a quota. */
    const noQuota = ['agent_session', 'receipt'];
    const erased = Object.values(accountQuotas(world)).map(({ quota }) => quota.category.name);
    expect(reserving.map(({ name }) => name)).to.have.members([...erased, ...otherwise, ...noQuota]);
    expect(quotasOfErasure).to.have.members(
      [...quotaNames, ...laterQuotaNames].filter((name) => name !== 'sessions'),
    );
  });

  it('purges its profiles, including those in the trash, and deletes its snapshots', async () => {
    const [erased, other] = [await world.newOwner(), await world.newOwner()];
    const profiles = createProfileCommands({
      ...world,
      archetypes: archetypeCatalogue,
      newNoiseSeed: () => 'AAAAAAAAAAAAAAAAAAAAAA',
      retentionMs: 86_400_000,
      roleOn: () => Promise.resolve(undefined),
      recordPosition: () => Promise.resolve(),
    });
    const made = async ({ accountId }: Owner, name: string) => {
      const given = { name, archetype: undefined, description: null };
      const by = newContext(accountId);
      return (await profiles.create({ accountId, tier: 'team', profileCap: 50 }, given, by))
        .profile as ActiveProfile;
    };
    const [kept, trashed, foreign] = [
      await made(erased, 'kept'),
      await made(erased, 'trashed'),
      await made(other, 'foreign'),
    ];
    const about = { label: 'x', description: null };
    const { snapshot } = await profiles.captureSnapshot(kept, about, newContext(erased.accountId));
    await profiles.trash(trashed, newContext(erased.accountId));
    await erasure.erase(erased.accountId, newContext(null));
    const statusOf = async ({ profileId }: ActiveProfile) =>
      (await world.runner.load(profile, uuidOf(profileId))).state.status;
    expect(await Promise.all([kept, trashed, foreign].map(statusOf))).to.deep.equal([
      'purged',
      'purged',
      'active',
    ]);
    const { state } = await world.runner.load(profileSnapshot, uuidOf(snapshot.snapshotId));
    expect(state.status).to.equal('deleted');
  });

  it('records a removal from a team in the log of the owner of that team', async () => {
    const [erased, boss] = [await world.newOwner(), await world.newOwner()];
    const seat = await join(boss, erased);
    await erasure.erase(erased.accountId, newContext(null));
    const removal = (await eventsOf(seat)).at(-1);
    expect(removal?.metadata.actor).to.deep.include({ account_id: boss.accountId });
  });

  it('is completed once after an interruption, and does not affect a later account with the same address', async () => {
    const [erased, boss] = [await world.newOwner(), await world.newOwner()];
    const seat = await join(boss, erased);
    await recordErasure(erased);
    await erasure.carryOut(erased.accountId, newContext(null));
    const successor = await world.newOwner(erased.email);
    expect(await join(boss, successor)).to.equal(seat);
    await erasure.carryOut(erased.accountId, newContext(null));
    expect(await typesOf(seat)).to.deep.equal([...joined, 'TeamMemberRemoved', ...joined]);
  });

  it('refuses an answer to an invitation of the erased account even before it is withdrawn', async () => {
    const [erased, member] = [await world.newOwner(), await world.newOwner()];
    const { token } = await invite(erased, member);
    await recordErasure(erased);
    await expectRefused(accept(member, token));
  });
});

async function expectRefused(accepting: Promise<unknown>): Promise<void> {
  const slug = await accepting.then(
    () => 'accepted',
    (error: unknown) => (error as { slug?: string }).slug,
  );
  expect(slug).to.equal('invalid-auth-token');
}
