import { accountWebhooksEvents, type AccountWebhooksEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../kit/decider.ts';

/** An endpoint's place under the account's cap, and since when it holds it. */
export interface WebhookPlace {
  readonly webhookId: WebhookId;
  readonly since: string;
}

export interface AccountWebhooks {
  readonly places: readonly WebhookPlace[];
}

export interface AdmitWebhook {
  readonly type: 'AdmitWebhook';
  readonly accountId: AccountId;
  readonly webhookId: WebhookId;
  /** How many endpoints the account may have. */
  readonly limit: number;
  readonly at: string;
}

export interface DismissWebhook {
  readonly type: 'DismissWebhook';
  readonly accountId: AccountId;
  readonly webhookId: WebhookId;
  readonly at: string;
}

export type AccountWebhooksCommand = AdmitWebhook | DismissWebhook;

/** How many endpoints an account has, decided in one place: a place first, then the endpoint. */
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

const holds = ({ places }: AccountWebhooks, webhookId: WebhookId): boolean =>
  places.some((place) => place.webhookId === webhookId);

function admit(state: AccountWebhooks, command: AdmitWebhook): readonly AccountWebhooksEvent[] {
  const { accountId, webhookId, limit, at } = command;
  if (holds(state, webhookId)) return [];
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
  return holds(state, webhookId) ? [{ type: 'WebhookDismissed', data: { accountId, webhookId, at } }] : [];
}

function evolve({ places }: AccountWebhooks, { type, data }: AccountWebhooksEvent): AccountWebhooks {
  const others = places.filter(({ webhookId }) => webhookId !== data.webhookId);
  switch (type) {
    case 'WebhookAdmitted':
      return { places: [...others, { webhookId: data.webhookId, since: data.at }] };
    case 'WebhookDismissed':
      return { places: others };
  }
}
