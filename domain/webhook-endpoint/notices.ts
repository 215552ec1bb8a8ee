import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';

/** Failed attempts in a row that the owner is warned at, before the last one disables the endpoint. */
const warnedAt: ReadonlySet<number> = new Set([10, 25, 45]);

interface Of {
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
}

/** Something about an endpoint that its owner is to be told, named for the mail that does. */
export type WebhookNotice =
  | (Of & { readonly template: 'webhook-failing' | 'webhook-disabled'; readonly consecutive: number })
  | (Of & { readonly template: 'webhook-secret-reminder'; readonly secretId: string; readonly at: string })
  | (Of & { readonly template: 'webhook-grace-ending'; readonly graceEndsAt: string });

type EventType = WebhookEndpointEvent['type'];
type EventOf<Type extends EventType> = {
  [Each in Type]: { readonly type: Each } & Extract<WebhookEndpointEvent, { type: Each }>;
}[Type];

const notices: {
  readonly [Type in EventType]?: (event: EventOf<Type>) => WebhookNotice | undefined;
} = {
  WebhookFailureCounted: ({ data: { webhookId, accountId, consecutive } }) =>
    warnedAt.has(consecutive)
      ? { template: 'webhook-failing', webhookId, accountId, consecutive }
      : undefined,
  WebhookDisabled: ({ data: { webhookId, accountId, consecutive } }) => ({
    template: 'webhook-disabled',
    webhookId,
    accountId,
    consecutive,
  }),
  WebhookSecretAged: ({ data: { webhookId, accountId, secretId, at } }) => ({
    template: 'webhook-secret-reminder',
    webhookId,
    accountId,
    secretId,
    at,
  }),
  WebhookGraceEnding: ({ data: { webhookId, accountId, graceEndsAt, at } }) =>
    Date.parse(at) < Date.parse(graceEndsAt)
      ? { template: 'webhook-grace-ending', webhookId, accountId, graceEndsAt }
      : undefined,
};

const noticeOf = <Type extends EventType>(event: EventOf<Type>): WebhookNotice | undefined =>
  notices[event.type]?.(event);

/** What the owner is told of an event. The end of a grace that was past when it was noticed is no news any more. */
export function webhookNotices(event: WebhookEndpointEvent): readonly WebhookNotice[] {
  const notice = noticeOf(event);
  return notice === undefined ? [] : [notice];
}
