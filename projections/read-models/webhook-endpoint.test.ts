import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { projectionSpec } from '../../domain/testing/index.ts';
import {
  accountId,
  events,
  graceEndsAt,
  on,
  rotatedAt,
  webhookId,
} from '../../domain/webhook-endpoint/testing.ts';
import { recorded } from '../testing/index.ts';
import { webhooks } from './webhook-endpoint.ts';

const spec = projectionSpec(webhooks);
const given = (...those: readonly DomainEvent[]) =>
  spec.given(...those.map((event) => recorded(`webhook_endpoint-${uuidOf(webhookId)}`, event)));

const registered = events.WebhookRegistered({ description: 'production' });
const row = {
  id: webhookId,
  account_id: accountId,
  url: registered.data.url,
  events: registered.data.events,
  description: 'production',
  consecutive_failures: 0,
  disabled_at: null,
  deleted_at: null,
  created_at: on(1),
  updated_at: on(1),
  secret_created_at: on(1),
  previous_secret_expires_at: null,
  created_by: null,
};

describe('the row of a webhook endpoint', () => {
  it('has the registered fields, without the secret', () => given(registered).then(row));

  it('follows changes of what it subscribes to', () =>
    given(registered, events.WebhookChanged({ description: null })).then({
      ...row,
      events: ['api_key.revoked'],
      description: null,
      updated_at: on(2),
    }));

  it('shows since when its secret is valid, and until when the previous one signs', () =>
    given(registered, events.WebhookSecretRotated()).then({
      ...row,
      secret_created_at: rotatedAt,
      previous_secret_expires_at: graceEndsAt,
      updated_at: rotatedAt,
    }));

  it('counts the failed attempts since the last success', () => {
    const counted = events.WebhookFailureCounted({ consecutive: 7 });
    given(registered, counted).then({ ...row, consecutive_failures: 7 });
    given(registered, counted, events.WebhookFailuresCleared()).then(row);
    const late = events.WebhookFailuresCleared({ left: 3 });
    given(registered, counted, late).then({ ...row, consecutive_failures: 3 });
  });

  it('is disabled for good', () =>
    given(registered, events.WebhookFailureCounted({ consecutive: 50 }), events.WebhookDisabled()).then({
      ...row,
      consecutive_failures: 50,
      disabled_at: on(3),
      updated_at: on(3),
    }));

  it('stays when the endpoint is deleted', () =>
    given(registered, events.WebhookDeleted()).then({ ...row, deleted_at: on(4), updated_at: on(4) }));

  it('does not change for tests and notices', () =>
    given(
      registered,
      events.WebhookTestRequested(),
      events.WebhookSecretAged(),
      events.WebhookGraceEnding(),
    ).then(row));
});
