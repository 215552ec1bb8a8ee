import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { mail } from '../../domain/mail.ts';
import { openWithOwnKey } from '../../infra/vault/own-key.ts';
import { invitedEmail, type TeamRole } from '../../contracts/events/team-member.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { keyedUuid, onlyPepper } from '../../infra/keys/index.ts';
import type { Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { parseMail } from '../../infra/verification/testbed/mail-parts.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { openSealed } from '../engine/open-sealed.ts';
import { consoleLinks, sendMail } from '../mail/index.ts';
import { recipientOf } from '../mail/sealing.ts';
import { openMailWorld, type MailWorld } from '../process-managers/mail/testing.ts';
import { endedInvitationsManager, teamInvitationsManager } from '../process-managers/index.ts';
import { newContext } from '../session/testing.ts';
import { createTeamCommands, type TeamCommands } from './index.ts';
import { invitationToken } from './invitation.ts';

const pepper = 'a pepper for tests';
const tokens = createOneTimeTokens(onlyPepper(pepper));

describe('the mail of an invitation', () => {
  let world: MailWorld;
  let team: TeamCommands;
  let owner: { accountId: AccountId; email: string };
  const recordedFor = new Map<AccountId, Position>();
  before(async () => {
    world = await openMailWorld();
    team = createTeamCommands({
      ...world,
      emailUuid: (email) => keyedUuid(email, pepper),
      tokens,
      inviteTtlMs: 7 * 86_400_000,
      recordPosition: async (accountId, position) => void recordedFor.set(accountId, position),
    });
  });
  after(() => world.close());
  beforeEach(async () => {
    owner = await world.newOwner();
  });

  const invite = async (role: TeamRole = 'member') => {
    const email = `${randomUUID()}@invited.example`;
    const inviting = { ...owner, tier: 'team' } as const;
    const { invitation } = await team.invite(inviting, { email, role }, newContext(owner.accountId));
    return { email, id: invitation.id };
  };
  /** Reacts to the invitation's events as a new process, without caches. */
  const react = async (id: string) => {
    const events: RecordedEvent[] = [];
    for await (const event of world.store.readStream(`team_member-${uuidOf(id)}`)) events.push(event);
    const consoleLink = consoleLinks('https://service.example/console');
    const manager = teamInvitationsManager({ ...world, tokens, consoleLink });
    for (const event of events) await manager.handle(event);
  };
  const mailIds = async () => {
    const ids: string[] = [];
    for await (const { stream, type, data } of world.store.readAll({ prefixes: ['mail-'] })) {
      const { accountId } = data as { accountId?: AccountId };
      if (type === 'MailQueued' && accountId === owner.accountId) ids.push(`mail_${stream.slice(5)}`);
    }
    return ids as `mail_${string}`[];
  };

  it('is sent once, to the invited address, however often the reaction is repeated', async () => {
    const { email, id } = await invite('admin');
    await react(id);
    await react(id);
    const [mailId, ...others] = await mailIds();
    expect(others).to.deep.equal([]);
    if (mailId === undefined) throw new Error('There is no mail.');
    await sendMail(world.sending, mailId);
    const [sent] = world.server.received.filter(({ to }) => to.includes(email));
    const { text, headers } = parseMail(sent?.source ?? '');
    expect(headers['x-service-template']).to.equal('team-invitation');
    expect(text).to.contain(owner.email).and.to.contain('admin');
    const [, token = ''] = /console\/invite\?token=(\S+)/.exec(text) ?? [];
    const invitee = await world.newOwner(email);
    const accepted = await team.accept(invitee.accountId, token, newContext(invitee.accountId));
    const { membership, position } = accepted;
    expect(membership).to.deep.include({ owner_account_id: owner.accountId, role: 'admin' });
    for (const account of [owner, invitee])
      expect(recordedFor.get(account.accountId)).to.deep.equal(position);
  });

  it('leaves neither token nor address in the log', async () => {
    const { email, id } = await invite();
    await react(id);
    const [mailId] = await mailIds();
    for (const stream of [`team_member-${uuidOf(id)}`, `mail-${uuidOf(mailId ?? '')}`])
      for await (const { data } of world.store.readStream(stream)) {
        expect(JSON.stringify(data)).not.to.contain(email);
        expect(JSON.stringify(data)).not.to.contain('svc_once_');
      }
  });

  it('is not queued once the invitation is withdrawn', async () => {
    const { id } = await invite();
    const seat = await team.findInvitation(owner.accountId, id);
    await team.withdraw(seat, newContext(owner.accountId));
    await react(id);
    expect(await mailIds()).to.deep.equal([]);
  });

  it('is not queued once the owner is erased', async () => {
    const { id } = await invite();
    await world.vault.forget(owner.accountId);
    await react(id);
    expect(await mailIds()).to.deep.equal([]);
  });

  describe('and the addresses that were invited', () => {
    const eventsOf = async (id: string) => {
      const events: RecordedEvent[] = [];
      for await (const event of world.store.readStream(`team_member-${uuidOf(id)}`)) events.push(event);
      return events;
    };
    const invitedIn = async (id: string) =>
      (await eventsOf(id))
        .filter(({ type }) => type === 'TeamMemberInvited')
        .map(({ data }) => data as { readonly sealedEmail: string; readonly tokenId: string });
    /** The address as the events of the invitations have it; null once it is erased. */
    const addresses = async (id: string) => {
      const texts = [];
      for (const { sealedEmail } of await invitedIn(id)) {
        const text = await openSealed(world.vault, owner.accountId, invitedEmail, sealedEmail);
        texts.push(text === null ? null : await openWithOwnKey(world.vault, invitedEmail, text));
      }
      return texts;
    };
    const recipient = async () => {
      const [mailId = ''] = await mailIds();
      const { state } = await world.runner.load(mail, uuidOf(mailId));
      if (!('mailId' in state)) throw new Error('There is no mail.');
      return recipientOf(world, state);
    };
    const end = async (id: string) => {
      for (const event of await eventsOf(id)) await endedInvitationsManager(world).handle(event);
    };

    it('are readable until the invitation is accepted, and then erased, also in its mail', async () => {
      const { email, id } = await invite();
      await react(id);
      await end(id);
      expect([await addresses(id), await recipient()]).to.deep.equal([[email], email]);
      const [invited] = await invitedIn(id);
      const token = tokens.textOf(invitationToken(uuidOf(id), invited?.tokenId ?? ''));
      const { accountId } = await world.newOwner(email);
      await team.accept(accountId, token, newContext(accountId));
      await end(id);
      expect([await addresses(id), await recipient()]).to.deep.equal([[null], null]);
    });

    it('are erased when it is withdrawn, and its mail is no longer sent', async () => {
      const { id } = await invite();
      await react(id);
      const seat = await team.findInvitation(owner.accountId, id);
      await team.withdraw(seat, newContext(owner.accountId));
      await end(id);
      expect(await addresses(id)).to.deep.equal([null]);
      const [mailId = 'mail_none'] = await mailIds();
      await sendMail(world.sending, mailId);
      const events = world.store.readStream(`mail-${uuidOf(mailId)}`, { direction: 'backwards', limit: 1 });
      for await (const { data } of events) expect(data).to.include({ reason: 'expired' });
    });

    it('are erased when it has expired; a later invitation of the address has its own key', async () => {
      world.host({ mail: false });
      const { email, id } = await invite();
      world.clock.advance(7 * 86_400_000);
      await until(async () => (await eventsOf(id)).at(-1)?.type === 'TeamInvitationLapsed');
      await world.closeHosts();
      const expired = (await eventsOf(id)).filter(({ type }) => type === 'TeamInvitationLapsed');
      expect(expired).to.have.length(1);
      const inviting = { ...owner, tier: 'team' } as const;
      await team.invite(inviting, { email, role: 'member' }, newContext(owner.accountId));
      await end(id);
      expect(await addresses(id)).to.deep.equal([null, email]);
    });

    it('end with the data key of the owner as well', async () => {
      const { id } = await invite();
      await world.vault.forget(owner.accountId);
      expect(await addresses(id)).to.deep.equal([null]);
    });
  });
});
