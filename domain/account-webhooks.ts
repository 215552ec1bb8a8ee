import { accountWebhooksEvents, type AccountWebhooksEvent } from '../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Command, Decider } from './kit/decider.ts';

/** The quota that one endpoint takes up, and since when. */
export interface WebhookReservation {
  readonly webhookId: WebhookId;
  readonly since: string;
}

export interface AccountWebhooks {
  /** Called so in stored snapshots. */
  readonly places: readonly WebhookReservation[];
}

/** Reserves quota for an endpoint. */
export type AdmitWebhook = Command<
  'AdmitWebhook',
  {
    accountId: AccountId;
    webhookId: WebhookId;
    /** How many endpoints the account may have. */
    limit: number;
  }
>;
/** Releases the reservation of an endpoint that is gone, or never came. */
export type DismissWebhook = Command<'DismissWebhook', { accountId: AccountId; webhookId: WebhookId }>;
export type AccountWebhooksCommand = AdmitWebhook | DismissWebhook;

/** The account's quota of webhook endpoints. An endpoint is registered only after its quota is reserved here. */
export const accountWebhooks: Decider<AccountWebhooks, AccountWebhooksCommand, AccountWebhooksEvent> = {
  category: accountWebhooksEvents,
  initialState: { places: [] },
  decide: (command, state) => {
    switch (command.type) {
      case 'AdmitWebhook':
        return admit(state, command);
      case 'DismissWebhook':
        return dismiss(state, command);
    }
  },
  evolve,
  snapshotEvery: 200,
};

const isReserved = ({ places: reservations }: AccountWebhooks, webhookId: WebhookId): boolean =>
  reservations.some((reservation) => reservation.webhookId === webhookId);

function admit(state: AccountWebhooks, command: AdmitWebhook): readonly AccountWebhooksEvent[] {
  const { accountId, webhookId, limit, at } = command;
  if (isReserved(state, webhookId)) return [];
  if (state.places.length >= limit) {
    throw refuse(
      'tier-limit',
      `An account may have ${limit} webhook endpoints. Delete one it no longer needs.`,
    );
  }
  return [{ type: 'WebhookAdmitted', data: { accountId, webhookId, at } }];
}

function dismiss(state: AccountWebhooks, command: DismissWebhook): readonly AccountWebhooksEvent[] {
  const { accountId, webhookId, at } = command;
  return isReserved(state, webhookId)
    ? [{ type: 'WebhookDismissed', data: { accountId, webhookId, at } }]
    : [];
}

function evolve(
  { places: reservations }: AccountWebhooks,
  { type, data }: AccountWebhooksEvent,
): AccountWebhooks {
  const others = reservations.filter(({ webhookId }) => webhookId !== data.webhookId);
  switch (type) {
    case 'WebhookAdmitted':
      return { places: [...others, { webhookId: data.webhookId, since: data.at }] };
    case 'WebhookDismissed':
      return { places: others };
  }
}
