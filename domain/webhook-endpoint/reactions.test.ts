import { reactionSpec } from '../testing/index.ts';
import { accountId, events, fresh, graceEndsAt, on, remindAt, secret, webhookId } from './testing.ts';
import { timersOf } from '../kit/timer.ts';
import { webhookNotices } from './reactions.ts';

const of = { webhookId, accountId };

describe('the mails to an endpoint’s owner', () => {
  const { when } = reactionSpec(webhookNotices);

  it('say that it fails, at 10, 25 and 45 failures in a row and at no other count', () => {
    const counted = Array.from({ length: 50 }, (_, i) =>
      events.WebhookFailureCounted({ consecutive: i + 1 }),
    );
    const { at } = events.WebhookFailureCounted().data;
    const failing = (consecutive: number) =>
      ({ template: 'webhook-failing', ...of, consecutive, at }) as const;
    when(...counted).then(failing(10), failing(25), failing(45));
  });

  it('say that it is disabled', () => {
    when(events.WebhookDisabled()).then({ template: 'webhook-disabled', ...of, consecutive: 50 });
  });

  it('say that its secret has reached its age', () => {
    const { secretId } = secret;
    const reminder = { template: 'webhook-secret-reminder', ...of, secretId, at: remindAt } as const;
    when(events.WebhookSecretAged()).then(reminder);
  });

  it('say that a grace period ends, unless it has', () => {
    when(events.WebhookGraceEnding()).then({ template: 'webhook-grace-ending', ...of, graceEndsAt });
    when(events.WebhookGraceEnding({ at: graceEndsAt })).nothing();
  });

  it('say nothing else', () => {
    when(
      events.WebhookRegistered(),
      events.WebhookSecretRotated(),
      events.WebhookFailuresCleared(),
      events.WebhookDeleted(),
    ).nothing();
  });
});

describe('the due times an endpoint sets', () => {
  const { when } = reactionSpec(timersOf);
  const reminder = `webhook_secret_age-${webhookId}`;

  it('are the reminder of its secret’s age, set anew by a rotation, and the notice of that one’s grace', () => {
    when(events.WebhookRegistered()).then({ id: reminder, dueAt: remindAt });
    when(events.WebhookSecretRotated()).then(
      { id: reminder, dueAt: fresh.remindAt },
      { id: `webhook_grace_notice-${webhookId}`, dueAt: on(11, '12:00:00.000') },
    );
  });

  it('are no others', () => {
    when(events.WebhookChanged(), events.WebhookDisabled(), events.WebhookDeleted()).nothing();
  });
});
