import { expect } from 'chai';
import type { SessionEvent } from '../../../contracts/events/session.ts';
import type { CreateOutcome } from '../../../contracts/fleet/protocol.ts';
import { toId, uuidOf, type AccountId, type MailId, type SessionId } from '../../../contracts/ids.ts';
import { mail } from '../../../domain/mail.ts';
import { parseMail } from '../../../infra/verification/testbed/mail-parts.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { setEmailPreference } from '../../email-preferences.ts';
import { mailIdOf, sendMail } from '../../mail/index.ts';
import { again, newCaller, newContext, newSessionId } from '../../session/testing.ts';
import { firstSessionMails } from './optional.ts';
import { openMailWorld, unsubscribeLink, type MailWorld } from './testing.ts';

type Optional = 'session-success-first' | 'session-failed-first' | 'tier-changed';

describe('mails that an account can opt out of', () => {
  let world: MailWorld;
  let owner: { accountId: AccountId; email: string };
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());
  beforeEach(async () => {
    owner = await world.newOwner();
  });
  afterEach(() => world.closeHosts());

  const mails = async () => {
    const text = 'select id, template, facts from read_model.mails where account_id = $1 order by created_at';
    type Row = { readonly id: MailId; readonly template: string; readonly facts: object };
    return (await world.pool.query<Row>(text, [owner.accountId])).rows;
  };
  const optOut = (eventType: Optional, optedIn = false) =>
    setEmailPreference(world, owner.accountId, { eventType, optedIn }, newContext(owner.accountId));
  const endSession = async (): Promise<SessionId> => {
    const caller = newCaller('team', 3, owner.accountId);
    const id = newSessionId();
    await world.sessions.create(caller, id, {});
    await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
    return id;
  };
  const setTier = (tier: 'personal' | 'agency') =>
    world.accounts.setTier(owner.accountId, tier, newContext(owner.accountId));
  const onceId = (template: Optional) => mailIdOf({ commandId: uuidOf(owner.accountId) }, template);
  const statusOf = async (id: MailId) => (await world.runner.load(mail, uuidOf(id))).state.status;
  const takenBy = (address: string) => world.server.received.filter(({ to }) => to.includes(address));

  it('are sent for the first completed session and no other, even if events are redelivered', async () => {
    await endSession();
    await endSession();
    world.host({ mail: false });
    await until(async () => (await mails()).length === 1);
    await world.closeHosts();
    await world.pool.query('delete from runtime.process_checkpoints');
    world.host({ mail: false });
    await world.reacted();
    const all = await mails();
    expect(all.map(({ template }) => template)).to.deep.equal(['session-success-first']);
    expect(all[0]?.id).to.equal(onceId('session-success-first'));
  });

  it('are sent for the first session that became ready, not for one that ended while it was created', async () => {
    const { fleet, sessions } = world;
    const { onCreate } = fleet;
    let start: (outcome: CreateOutcome) => void = () => undefined;
    fleet.onCreate = () => new Promise((resolve) => (start = resolve));
    const [caller, early] = [newCaller('team', 3, owner.accountId), newSessionId()];
    const creation = sessions.create(caller, early, {}).catch((error: unknown) => error);
    await until(() => fleet.created.includes(early));
    await sessions.destroy(again(caller), await sessions.find(caller, early));
    start({ outcome: 'succeeded', egress_capabilities: null });
    expect(await creation).to.include({ slug: 'session-destroyed' });
    fleet.onCreate = onCreate;
    const id = await endSession();
    world.host({ mail: false });
    await until(async () => (await mails()).length === 1);
    expect((await mails()).map(({ facts }) => facts)).to.deep.equal([{ session_id: id }]);
  });

  it('are sent for each change of the tier, with a way to opt out by one request', async () => {
    await setTier('personal');
    await setTier('agency');
    world.host({ mail: false });
    const all = await until(async () => ((await mails()).length === 2 ? mails() : undefined));
    expect(all.map(({ facts }) => facts)).to.have.deep.members([
      { from: 'team', to: 'personal' },
      { from: 'personal', to: 'agency' },
    ]);
    for (const { id } of all) await sendMail(world.sending, id);
    const [taken] = takenBy(owner.email).map(({ source }) => parseMail(source));
    const link = unsubscribeLink(owner.accountId, 'tier-changed');
    expect(taken?.headers).to.include({
      'x-service-template': 'tier-changed',
      'list-unsubscribe': `<${link}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    expect(taken?.text.split('\n')).to.include(link);
    expect(taken?.html).to.contain(`href="${link}"`);
  });

  it('are not queued for an account that has opted out, nor later when it opts in again', async () => {
    await optOut('session-success-first');
    await endSession();
    world.host({ mail: false });
    await until(async () => (await statusOf(onceId('session-success-first'))) === 'declined');
    await optOut('session-success-first', true);
    await endSession();
    await world.reacted();
    expect(await mails()).to.deep.equal([]);
  });

  it('are not sent if the account opts out while they wait', async () => {
    await setTier('agency');
    world.host({ mail: false });
    const { id } = await until(async () => (await mails())[0]);
    await optOut('tier-changed');
    await sendMail(world.sending, id);
    expect(await statusOf(id)).to.equal('abandoned');
    expect(takenBy(owner.email)).to.deep.equal([]);
  });
});

describe('the mail about a session’s end', () => {
  const sessionId = toId('session', '0197f1a0-0000-7000-8000-000000000001');
  const at = '2026-01-05T12:00:00.000Z';
  const destroyed = (
    cause: Extract<SessionEvent, { type: 'SessionDestroyed' }>['data']['cause'],
  ): SessionEvent => ({
    type: 'SessionDestroyed',
    data: { sessionId, cause, durationMs: 1, at },
  });

  it('reports success if it was ended on purpose, and is not sent after a suspension or a lost turn', () => {
    for (const cause of ['customer', 'duration_cap'] as const)
      expect(firstSessionMails(destroyed(cause))).to.deep.equal([
        { template: 'session-success-first', facts: { session_id: sessionId }, sessionId },
      ]);
    for (const cause of ['suspension', 'agent_session'] as const)
      expect(firstSessionMails(destroyed(cause))).to.deep.equal([]);
  });

  it('reports failure if it ended by an error, and names the error', () => {
    const data = { sessionId, operation: 'navigate', errorName: 'DriverError', reason: 'node_lost' } as const;
    expect(firstSessionMails({ type: 'SessionErrored', data: { ...data, durationMs: 1, at } })).to.deep.equal(
      [
        {
          template: 'session-failed-first',
          facts: { session_id: sessionId, reason: 'The browser operation failed.' },
          sessionId,
        },
      ],
    );
  });
});
