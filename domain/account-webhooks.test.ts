import type { AccountWebhooksEvent } from '../contracts/events/webhook-endpoint.ts';
import { toId, type WebhookId } from '../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { accountWebhooks } from './account-webhooks.ts';
import type { QuotaCommand } from './kit/quota.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const accountId = toId('account', uuid(1));
const first = { accountId, webhookId: toId('webhook', uuid(1)), at: '2026-01-05T12:00:00.000Z' };
const second = toId('webhook', uuid(2));

const { WebhookAdmitted, WebhookDismissed } = eventBuilders<AccountWebhooksEvent>({
  WebhookAdmitted: first,
  WebhookDismissed: first,
});
const share = { accountId, id: first.webhookId, name: null, at: first.at };
const { Reserve, Release } = commandBuilders<QuotaCommand<WebhookId>>({
  Reserve: { ...share, limit: 20 },
  Release: share,
});
const { given } = deciderSpec(accountWebhooks);
const twenty = Array.from({ length: 20 }, (_, index) =>
  WebhookAdmitted({ webhookId: toId('webhook', uuid(index + 1)) }),
);

describe('the webhook endpoints of an account', () => {
  it('reserve quota each, up to twenty', () => {
    given().when(Reserve()).then(WebhookAdmitted());
    given(...twenty.slice(0, 19))
      .when(Reserve({ id: toId('webhook', uuid(20)) }))
      .then(WebhookAdmitted({ webhookId: toId('webhook', uuid(20)) }));
  });

  it('are refused beyond that as a limit of the tier', () => {
    given(...twenty)
      .when(Reserve({ id: toId('webhook', uuid(21)) }))
      .refused('tier-limit', {});
  });

  it('reserve quota once, also when none is left', () => {
    given(WebhookAdmitted()).when(Reserve()).nothing();
    given(...twenty)
      .when(Reserve())
      .nothing();
  });

  it('release their quota once, and another may reserve it', () => {
    given(WebhookAdmitted()).when(Release()).then(WebhookDismissed());
    given(WebhookAdmitted(), WebhookDismissed()).when(Release()).nothing();
    given().when(Release()).nothing();
    given(WebhookAdmitted(), WebhookDismissed())
      .when(Reserve({ id: second, limit: 1 }))
      .then(WebhookAdmitted({ webhookId: second }));
  });
});
