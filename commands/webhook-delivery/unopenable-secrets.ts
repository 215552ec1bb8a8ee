import type { Logger } from 'pino';
import type { WebhookId } from '../../contracts/ids.ts';

export interface UnopenableSecretsPorts {
  /** Milliseconds that only ever go forward. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Called for each failed try. */
  readonly onSetback?: (() => void) | undefined;
  readonly logger: Logger;
}

interface Failure {
  readonly reason: string;
  readonly waitMs: number;
  readonly until: number;
}

/** The wait doubles with each try of an endpoint; ms. */
const firstWaitMs = 5000;
const longestWaitMs = 600_000;
const remembered = 10_000;

/**
 * Back-off for endpoints whose secrets cannot be opened although they are not erased, which only an operator can mend (a wrong
 * master key, for example). Each is tried ever less often, by whichever delivery is due first, and logged once per reason.
 */
export class UnopenableSecrets {
  readonly #ports: UnopenableSecretsPorts;
  readonly #of = new Map<WebhookId, Failure>();

  constructor(ports: UnopenableSecretsPorts) {
    this.#ports = ports;
  }

  /** Milliseconds until the next try, with jitter; undefined when the endpoint may be tried now. */
  waitMs(webhookId: WebhookId): number | undefined {
    const leftMs = (this.#of.get(webhookId)?.until ?? 0) - this.#ports.now();
    return leftMs > 0 ? this.#spread(Math.max(leftMs, firstWaitMs)) : undefined;
  }

  /** Records a failure; returns the milliseconds until the next try. */
  add(webhookId: WebhookId, error: unknown): number {
    const { now, logger, onSetback } = this.#ports;
    const last = this.#of.get(webhookId);
    const reason = String(error);
    const waitMs = last === undefined ? firstWaitMs : Math.min(longestWaitMs, 2 * last.waitMs);
    this.#of.delete(webhookId);
    this.#of.set(webhookId, { reason, waitMs, until: now() + waitMs });
    const [oldest] = this.#of.keys();
    if (this.#of.size > remembered && oldest !== undefined) this.#of.delete(oldest);
    if (last?.reason !== reason)
      logger.warn(
        { err: error, webhook: webhookId },
        'The secrets of an endpoint cannot be opened; its deliveries wait.',
      );
    onSetback?.();
    return this.#spread(waitMs);
  }

  end(webhookId: WebhookId): void {
    if (this.#of.delete(webhookId))
      this.#ports.logger.info({ webhook: webhookId }, 'The secrets of an endpoint can be opened again.');
  }

  #spread(waitMs: number): number {
    return Math.ceil(waitMs * (1 + this.#ports.random() / 2));
  }
}
