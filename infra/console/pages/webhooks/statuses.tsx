import type { DeliveryAttempt, Webhook, WebhookDelivery } from '../../../../contracts/client/index.ts';
import { Status, type Tone } from '../../parts/record.tsx';
import { words } from './strings.ts';

type EndpointStatus = keyof typeof words.statuses;

const endpointTones: Readonly<Record<EndpointStatus, Tone>> = {
  active: 'good',
  failing: 'busy',
  disabled: 'bad',
};

export function statusOf({ disabled_at: disabled, consecutive_failures: failures }: Webhook): EndpointStatus {
  if (disabled !== null) return 'disabled';
  return failures > 0 ? 'failing' : 'active';
}

export function WebhookStatus({ of }: { readonly of: Webhook }) {
  const status = statusOf(of);
  return <Status tone={endpointTones[status]} word={words.statuses[status]} />;
}

const deliveryTones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'wait',
  retrying: 'busy',
  delivered: 'good',
  dead_letter: 'bad',
  cancelled: 'over',
};

export const DeliveryStatus = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <Status tone={deliveryTones[status]} word={words.deliveryStatuses[status]} />
);

/** HTTP status of the receiver's answer, or the reason that there is none. */
export const answerOf = ({ response_status: status, error }: DeliveryAttempt): string =>
  status === null ? (error === null ? words.noAnswer : words.errors[error]) : String(status);
