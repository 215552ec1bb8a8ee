import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type MailId } from '../../../contracts/ids.ts';
import { mail, type MailCommand } from '../../../domain/mail.ts';
import { collect } from '../../../infra/event-store/client/testing.ts';
import { createRunner } from '../../engine/runner.ts';
import { wakeUpIdOf } from '../../mail/index.ts';
import { newContext, quiet, TestClock, useStore } from '../../session/testing.ts';
import { mailWakeUpsManager } from './managers.ts';

describe('the wake-ups of mails', () => {
  const opened = useStore();
  const clock = new TestClock();
  const at = clock.now().toISOString();
  const expiresAt = new Date(clock.now().getTime() + 15 * 60_000).toISOString();

  /** The scheduled wake-ups, as `<attempt> <priority>`, of a mail whose first attempt has failed. */
  async function wakeUpsOf(queueing: (mailId: MailId) => MailCommand): Promise<readonly string[]> {
    const runner = createRunner({ store: opened.store, logger: quiet, cacheEntries: 10 });
    const mailId = toId('mail', uuidv7());
    const run = (command: MailCommand) =>
      runner.run(mail, uuidOf(mailId), command, newContext(null), { create: true });
    await run(queueing(mailId));
    await run({ type: 'RecordMailAttempt', attempt: 1, error: 'timeout', backoffMs: [60_000], at });
    const scheduled: string[] = [];
    const attempts = new Map([1, 2].map((attempt) => [wakeUpIdOf(mailId, attempt), attempt]));
    const manager = mailWakeUpsManager({
      runner,
      logger: quiet,
      wakeUps: {
        schedule: async (id, _dueAt, priority) => void scheduled.push(`${attempts.get(id)} ${priority}`),
      },
    });
    for (const event of await collect(opened.store.readStream(`mail-${uuidOf(mailId)}`)))
      await manager.handle(event);
    return scheduled;
  }

  it('go before all others if the mail has a link, also after a failed attempt', async () => {
    const scheduled = await wakeUpsOf((mailId) => ({
      type: 'QueueMail',
      mailId,
      accountId: toId('account', uuidv7()),
      template: 'magic-link',
      facts: {},
      expiresAt,
      at,
    }));
    expect(scheduled).to.deep.equal(['1 normal', '2 normal']);
  });

  it('have low priority if it has none, as those about an incident', async () => {
    const scheduled = await wakeUpsOf((mailId) => ({
      type: 'QueueSubscriberMail',
      mailId,
      subscriber: uuidv7(),
      subscriptionId: toId('statusSubscription', uuidv7()),
      template: 'incident-posted',
      facts: {},
      at,
    }));
    expect(scheduled).to.deep.equal(['1 low', '2 low']);
  });
});
