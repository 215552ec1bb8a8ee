import { expect } from 'chai';
import { dayMs } from '../../../contracts/durations.ts';
import { uuidOf, type AccountId, type MailId, type WebhookId } from '../../../contracts/ids.ts';
import { mail } from '../../../domain/mail.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import { collect } from '../../../infra/event-store/client/testing.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { sendMail } from '../../mail/index.ts';
import { newContext } from '../../session/testing.ts';
import { handleMailWakeUps } from '../index.ts';
import { backoffMs, openMailWorld, type MailWorld } from './testing.ts';

describe('mail to the owner of an endpoint', () => {
  let world: MailWorld;
  let owner: { accountId: AccountId; email: string };
  let webhookId: WebhookId;
  before(async () => {
    world = await openMailWorld();
    handleMailWakeUps(world.wakeUps, world.sending);
  });
  after(() => world.close());
  beforeEach(async () => {
    world.server.answer = () => 'take';
    owner = await world.newOwner();
    webhookId = await world.register(owner.accountId);
  });
  afterEach(() => world.closeHosts());

  const taken = () => world.server.received.filter(({ to }) => to.includes(owner.email));
  /** Subjects, unfolded. */
  const subjects = () =>
    taken().map(({ source }) => /^Subject: (.*(?:\r\n .*)*)\r$/m.exec(source)?.[1]?.replaceAll('\r\n', ''));
  const mails = async () => {
    const text = 'select id from read_model.mails where account_id = $1 order by created_at';
    return (await world.pool.query<{ id: MailId }>(text, [owner.accountId])).rows;
  };
  const oneMail = () => until(async () => (await mails())[0]);
  const statusOf = async (id: MailId) => (await world.runner.load(mail, uuidOf(id))).state.status;
  it('is sent at the 10th failure in a row, once, even if every event is redelivered', async () => {
    await world.fail(webhookId, owner.accountId, 11);
    world.host({ mail: true });
    await until(() => taken().length === 1);
    const { id } = await oneMail();
    await until(async () => (await statusOf(id)) === 'sent');
    const [source] = taken().map((each) => each.source);
    expect(source).to.contain(`Message-ID: <${id}@example.org>`);
    expect(source).to.contain('receiver.example:8443').and.to.contain(webhookId);
    expect(source).not.to.contain('canary');
    await world.closeHosts();
    await world.pool.query('delete from runtime.process_checkpoints');
    world.host({ mail: true });
    await world.reacted();
    expect(await mails()).to.have.lengthOf(1);
    await sendMail(world.sending, id);
    expect(taken()).to.have.lengthOf(1);
  });

  it('is sent when the endpoint is disabled', async () => {
    await world.fail(webhookId, owner.accountId, 50);
    world.host({ mail: true });
    await until(() => taken().length === 4);
    expect(subjects().filter((subject) => subject?.endsWith('is disabled'))).to.have.lengthOf(1);
  });

  it('is sent once a day about each number of failures, however often an endpoint recovers and fails again', async () => {
    const failAgain = async () => {
      await world.fail(webhookId, owner.accountId, 10);
      await world.succeed(webhookId, owner.accountId);
    };
    const queued = async () => {
      await world.reacted();
      const events = await collect(world.store.readAll({ types: ['MailQueued'] }));
      return events.filter(({ data }) => (data as { accountId: AccountId }).accountId === owner.accountId);
    };
    world.host({ mail: false });
    await failAgain();
    await failAgain();
    expect(await queued()).to.have.lengthOf(1);
    world.clock.advance(dayMs);
    await failAgain();
    await failAgain();
    expect(await queued()).to.have.lengthOf(2);
  });

  it('stays in the outbox without a mail server, and is sent once there is one', async () => {
    await world.fail(webhookId, owner.accountId, 10);
    world.host({ mail: false });
    const { id } = await oneMail();
    await world.reacted();
    expect(await statusOf(id)).to.equal('queued');
    expect(taken()).to.deep.equal([]);
    await world.closeHosts();
    world.host({ mail: true });
    await until(() => taken().length === 1);
  });

  it('is retried at its due times, not before, and abandoned after the last', async () => {
    world.server.answer = () => 'refuse';
    await world.fail(webhookId, owner.accountId, 10);
    world.host({ mail: true });
    const { id } = await oneMail();
    const attempts = async () => {
      const { state } = await world.runner.load(mail, uuidOf(id));
      return 'attempts' in state ? state.attempts : 0;
    };
    await until(async () => (await attempts()) === 1);
    for (const [index, wait] of backoffMs.entries()) {
      world.clock.advance(wait - 1);
      await sendMail(world.sending, id);
      expect(await attempts()).to.equal(index + 1);
      world.clock.advance(1);
      await until(async () => (await attempts()) === index + 2);
    }
    expect(await statusOf(id)).to.equal('abandoned');
    expect(taken()).to.deep.equal([]);
  });

  it('is no longer sent once the account is erased', async () => {
    await world.fail(webhookId, owner.accountId, 10);
    world.host({ mail: false });
    const { id } = await oneMail();
    await world.vault.forget(owner.accountId);
    await sendMail(world.sending, id);
    expect(await statusOf(id)).to.equal('abandoned');
    expect(taken()).to.deep.equal([]);
  });

  it('is not queued for an endpoint that was deleted meanwhile', async () => {
    await world.fail(webhookId, owner.accountId, 10);
    const { webhooks } = world;
    const webhook = await webhooks.find(owner.accountId, webhookId);
    await webhooks.delete(webhook, newContext(owner.accountId));
    world.host({ mail: false });
    await world.reacted();
    expect(await mails()).to.deep.equal([]);
  });

  describe('by the timers of its secrets', () => {
    const state = async () => {
      const { state: present } = await world.runner.load(webhookEndpoint, uuidOf(webhookId));
      if (present.status === 'none') throw new Error('There is no endpoint.');
      return present;
    };
    const rotate = async () => {
      const webhook = await world.webhooks.find(owner.accountId, webhookId);
      await world.webhooks.rotateSecret(webhook, newContext(owner.accountId));
    };
    const timers = async () => {
      const text = 'select kind from read_model.timers where subject_id = $1 order by kind';
      return (await world.pool.query<{ kind: string }>(text, [webhookId])).rows.map(({ kind }) => kind);
    };

    it('reminds at sixty days and not a millisecond before', async () => {
      const other = await world.register(owner.accountId);
      world.clock.advance(1);
      const later = webhookId;
      webhookId = await world.register(owner.accountId);
      world.host({ mail: true });
      world.clock.advance(60 * dayMs - 1);
      await until(() => taken().length === 2);
      expect((await state()).secret.isAged).to.equal(false);
      world.clock.advance(1);
      await until(() => taken().length === 3);
      expect(new Set(subjects()).size).to.equal(1);
      expect(taken().at(-1)?.source).to.contain('in use for 60').and.to.contain(webhookId);
      for (const id of [other, later])
        expect(taken().some(({ source }) => source.includes(id))).to.equal(true);
    });

    it('reminds anew, sixty days after a rotation', async () => {
      world.clock.advance(30 * dayMs);
      await rotate();
      world.host({ mail: true });
      await until(() => taken().length === 1);
      expect(subjects()[0]).to.match(/ends soon$/);
      world.clock.advance(60 * dayMs - 1);
      await world.reacted();
      expect((await state()).secret.isAged).to.equal(false);
      world.clock.advance(1);
      await until(() => taken().length === 2);
      await until(async () => (await timers()).length === 0);
    });

    it('does not announce a grace period that a jump of the clock has passed, and ends its timer', async () => {
      await rotate();
      world.clock.advance(2 * dayMs);
      world.host({ mail: true });
      await until(async () => (await state()).previousSecret?.isEnding === true);
      await until(async () => !(await timers()).includes('webhook_grace_notice'));
      await world.reacted();
      expect(await mails()).to.deep.equal([]);
    });

    it('end with the endpoint', async () => {
      await rotate();
      await until(async () => (await timers()).length === 2);
      await world.fail(webhookId, owner.accountId, 50);
      await until(async () => (await timers()).length === 0);
    });
  });
});
