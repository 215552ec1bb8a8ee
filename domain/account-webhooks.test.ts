import type { AccountWebhooksEvent } from '../contracts/events/webhook-endpoint.ts';
import { toId } from '../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { accountWebhooks, type AccountWebhooksCommand } from './account-webhooks.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const accountId = toId('account', uuid(1));
const first = { accountId, webhookId: toId('webhook', uuid(1)), at: '2026-01-05T12:00:00.000Z' };
const second = toId('webhook', uuid(2));

const { WebhookAdmitted, WebhookDismissed } = eventBuilders<AccountWebhooksEvent>({
  WebhookAdmitted: first,
  WebhookDismissed: first,
});
const { AdmitWebhook, DismissWebhook } = commandBuilders<AccountWebhooksCommand>({
  AdmitWebhook: { ...first, limit: 20 },
  DismissWebhook: first,
});
const { given } = deciderSpec(accountWebhooks);
const twenty = Array.from({ length: 20 }, (_, index) =>
  WebhookAdmitted({ webhookId: toId('webhook', uuid(index + 1)) }),
);

describe('the webhook endpoints of an account', () => {
  it('reserve quota each, up to twenty', () => {
    given().when(AdmitWebhook()).then(WebhookAdmitted());
    given(...twenty.slice(0, 19))
      .when(AdmitWebhook({ webhookId: toId('webhook', uuid(20)) }))
      .then(WebhookAdmitted({ webhookId: toId('webhook', uuid(20)) }));
  });

  it('are refused beyond that as a limit of the tier', () => {
    given(...twenty)
      .when(AdmitWebhook({ webhookId: toId('webhook', uuid(21)) }))
      .refused('tier-limit', {});
  });

  it('reserve quota once, also when none is left', () => {
    given(WebhookAdmitted()).when(AdmitWebhook()).nothing();
    given(...twenty)
      .when(AdmitWebhook())
      .nothing();
  });

  it('release their quota once, and another may reserve it', () => {
    given(WebhookAdmitted()).when(DismissWebhook()).then(WebhookDismissed());
    given(WebhookAdmitted(), WebhookDismissed()).when(DismissWebhook()).nothing();
    given().when(DismissWebhook()).nothing();
    given(WebhookAdmitted(), WebhookDismissed())
      .when(AdmitWebhook({ webhookId: second, limit: 1 }))
      .then(WebhookAdmitted({ webhookId: second }));
  });
});
