import { webhookEndpointEvents, type WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { uuidOf, type WebhookId } from '../../contracts/ids.ts';
import {
  signingSecrets,
  type ExistingWebhook,
  type WebhookEndpoint,
} from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { CancelDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { isPostgresOutage } from '../../infra/postgres/index.ts';
import { createExpiringCache } from '../../infra/platform/expiring-cache.ts';
import { isKnown } from '../engine/recording.ts';
import type { DeliveryPorts } from './ports.ts';
import { UnopenableSecrets } from './unopenable-secrets.ts';

/** Where to send, and with which secrets at a moment. */
export interface Address {
  readonly url: string;
  readonly secretsAt: (at: Date) => readonly string[];
}

/** Or why nothing is sent there any more; or when to ask again, because its secrets cannot be opened now. */
export type Receiver = Address | { readonly gone: Gone } | { readonly waitMs: number };
type Gone = CancelDelivery['reason'];

export interface Receivers {
  of(webhookId: WebhookId): Promise<Receiver>;
  /** What the log tells of an endpoint holds for whatever is sent from then on. */
  heard(event: RecordedEvent): void;
}

/** What counts for sending; of an endpoint that fails the log tells much else. */
const telling: ReadonlySet<string> = new Set<WebhookEndpointEvent['type']>([
  'WebhookSecretRotated',
  'WebhookDisabled',
  'WebhookDeleted',
]);

/** How long an endpoint is believed to be as it was, its opened secrets with it; ms. */
const believedMs = 1000;

type ReceiverPorts = Pick<
  DeliveryPorts,
  'runner' | 'clock' | 'now' | 'random' | 'vault' | 'secretField' | 'onSetback' | 'logger'
>;

/**
 * Endpoints as the log knew them a second ago at most, or when it was last heard of. The secrets are in clear here, in
 * memory, and nowhere else.
 */
export function createReceivers(ports: ReceiverPorts): Receivers {
  const known = createExpiringCache<Receiver>({ maxAgeMs: believedMs, entries: 2000, now: ports.now });
  const setbacks = new UnopenableSecrets(ports);
  return {
    of: async (webhookId) => {
      const waitMs = setbacks.waitMs(webhookId);
      return waitMs === undefined
        ? known.get(webhookId, () => receiverOf(ports, setbacks, webhookId))
        : { waitMs };
    },
    heard: (event) => {
      if (telling.has(event.type) && isKnown<WebhookEndpointEvent>(webhookEndpointEvents, event))
        known.forget(event.data.webhookId);
    },
  };
}

async function receiverOf(
  ports: ReceiverPorts,
  setbacks: UnopenableSecrets,
  webhookId: WebhookId,
): Promise<Receiver> {
  const { state } = await ports.runner.load(webhookEndpoint, uuidOf(webhookId));
  if (!isActive(state)) return { gone: whyGone(state) };
  try {
    const receiver = await open(ports, state);
    setbacks.end(webhookId);
    return receiver;
  } catch (error) {
    if (isPostgresOutage(error)) throw error;
    return { waitMs: setbacks.add(webhookId, error) };
  }
}

const isActive = (state: WebhookEndpoint): state is ExistingWebhook => state.status === 'active';

const whyGone = (state: WebhookEndpoint): Gone =>
  state.status === 'disabled' ? 'webhook_disabled' : 'webhook_deleted';

/** Why nothing is sent to an endpoint any more, believed for as long; undefined when it is active. */
export function createGone({ runner, now }: Pick<ReceiverPorts, 'runner' | 'now'>) {
  const known = createExpiringCache<Gone | undefined>({ maxAgeMs: believedMs, now });
  return (webhookId: WebhookId): Promise<Gone | undefined> =>
    known.get(webhookId, async () => {
      const { state } = await runner.load(webhookEndpoint, uuidOf(webhookId));
      return isActive(state) ? undefined : whyGone(state);
    });
}

async function open(
  { clock, vault, secretField }: ReceiverPorts,
  webhook: ExistingWebhook,
): Promise<Address | { readonly gone: Gone }> {
  const { accountId, url } = webhook;
  const texts = new Map<string, string>();
  for (const { secretId, sealed } of signingSecrets(webhook, clock.now())) {
    const opened = await vault.open(accountId, secretField(secretId), sealed);
    if ('erased' in opened) return { gone: 'account_erased' };
    texts.set(secretId, opened.text);
  }
  const secretsAt = (at: Date) =>
    signingSecrets(webhook, at).flatMap(({ secretId }) => texts.get(secretId) ?? []);
  return { url, secretsAt };
}
