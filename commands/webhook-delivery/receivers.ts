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
import { Cache, CachedReads } from '../../infra/platform/cache.ts';
import { isPostgresOutage } from '../../infra/postgres/index.ts';
import { openSealed } from '../engine/open-sealed.ts';
import { hasKnownType } from '../engine/recording.ts';
import type { DeliveryPorts } from './ports.ts';

/** The address of a receiver, and the secrets that sign at a given time. */
export interface Address {
  readonly url: string;
  readonly secretsAt: (at: Date) => readonly string[];
}

/** Or why nothing is sent there any more; or when to retry, because its secrets cannot be opened now. */
export type Receiver = Address | { readonly gone: Gone } | { readonly waitMs: number };
type Gone = CancelDelivery['reason'];

export interface Receivers {
  of(webhookId: WebhookId): Promise<Receiver>;
  /** Invalidates the cached endpoint that the event changes. */
  observe(event: RecordedEvent): void;
}

/** Events that invalidate a cached endpoint; a failing endpoint has many others. */
const invalidating: ReadonlySet<string> = new Set<WebhookEndpointEvent['type']>([
  'WebhookSecretRotated',
  'WebhookDisabled',
  'WebhookDeleted',
]);

/** Cache lifetime of an endpoint with its opened secrets; ms. */
const maxAgeMs = 1000;

type ReceiverPorts = Pick<
  DeliveryPorts,
  'runner' | 'clock' | 'now' | 'random' | 'vault' | 'secretField' | 'onUnopenable' | 'logger'
>;

/** Cached endpoints, at most a second old, or as of the last observed event. Secrets are in clear only here, in memory. */
export function createReceivers(ports: ReceiverPorts): Receivers {
  const known = new CachedReads<Receiver>({ maxAgeMs, maxEntries: 2000, now: ports.now });
  const unopenable = new UnopenableSecrets(ports);
  return {
    of: async (webhookId) => {
      const waitMs = unopenable.waitMs(webhookId);
      return waitMs === undefined
        ? known.get(webhookId, () => receiverOf(ports, unopenable, webhookId))
        : { waitMs };
    },
    observe: (event) => {
      if (invalidating.has(event.type) && hasKnownType<WebhookEndpointEvent>(webhookEndpointEvents, event))
        known.forget(event.data.webhookId);
    },
  };
}

async function receiverOf(
  ports: ReceiverPorts,
  unopenable: UnopenableSecrets,
  webhookId: WebhookId,
): Promise<Receiver> {
  const { state } = await ports.runner.load(webhookEndpoint, uuidOf(webhookId));
  if (!isActive(state)) return { gone: whyGone(state) };
  try {
    const receiver = await open(ports, state);
    unopenable.end(webhookId);
    return receiver;
  } catch (error) {
    if (isPostgresOutage(error)) throw error;
    return { waitMs: unopenable.add(webhookId, error) };
  }
}

const isActive = (state: WebhookEndpoint): state is ExistingWebhook => state.status === 'active';

const whyGone = (state: WebhookEndpoint): Gone =>
  state.status === 'disabled' ? 'webhook_disabled' : 'webhook_deleted';

/** Why an endpoint gets nothing, cached for as long; undefined while it is active. */
export function createGone({ runner, now }: Pick<ReceiverPorts, 'runner' | 'now'>) {
  const known = new CachedReads<Gone | undefined>({ maxAgeMs, now });
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
    const text = await openSealed(vault, accountId, secretField(secretId), sealed);
    if (text === null) return { gone: 'account_erased' };
    texts.set(secretId, text);
  }
  const secretsAt = (at: Date) =>
    signingSecrets(webhook, at).flatMap(({ secretId }) => texts.get(secretId) ?? []);
  return { url, secretsAt };
}

type UnopenablePorts = Pick<DeliveryPorts, 'now' | 'random' | 'onUnopenable' | 'logger'>;

interface Failure {
  readonly reason: string;
  readonly waitMs: number;
  readonly until: number;
}

/** Back-off per endpoint, doubled with each try; ms. */
const firstWaitMs = 5000;
const longestWaitMs = 600_000;

/**
 * Back-off for endpoints whose secrets cannot be opened although they are not erased, which only an operator can fix (a wrong
 * master key, for example). Each is retried less and less often, by the delivery that is due first, and logged once per reason.
 */
export class UnopenableSecrets {
  readonly #ports: UnopenablePorts;
  readonly #of = new Cache<WebhookId, Failure>();

  constructor(ports: UnopenablePorts) {
    this.#ports = ports;
  }

  /** Milliseconds until the next try, with jitter; undefined when the endpoint may be tried now. */
  waitMs(webhookId: WebhookId): number | undefined {
    const leftMs = (this.#of.get(webhookId)?.until ?? 0) - this.#ports.now();
    return leftMs > 0 ? this.#spread(Math.max(leftMs, firstWaitMs)) : undefined;
  }

  /** Records a failure; returns the milliseconds until the next try. */
  add(webhookId: WebhookId, error: unknown): number {
    const { now, logger, onUnopenable } = this.#ports;
    const last = this.#of.get(webhookId);
    const reason = String(error);
    const waitMs = last === undefined ? firstWaitMs : Math.min(longestWaitMs, 2 * last.waitMs);
    this.#of.set(webhookId, { reason, waitMs, until: now() + waitMs });
    const about = { err: error, webhook: webhookId };
    if (last?.reason !== reason)
      logger.warn(about, 'The secrets of an endpoint cannot be opened; its deliveries wait.');
    onUnopenable?.();
    return this.#spread(waitMs);
  }

  end(webhookId: WebhookId): void {
    if (this.#of.get(webhookId) === undefined) return;
    this.#of.delete(webhookId);
    this.#ports.logger.info({ webhook: webhookId }, 'The secrets of an endpoint can be opened again.');
  }

  #spread(waitMs: number): number {
    return Math.ceil(waitMs * (1 + this.#ports.random() / 2));
  }
}
