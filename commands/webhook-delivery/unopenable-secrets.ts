import type { Logger } from 'pino';
import type { WebhookId } from '../../contracts/ids.ts';

export interface UnopenableSecretsPorts {
  /** Milliseconds that only ever go forward. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Told of every try that failed. */
  readonly onSetback?: (() => void) | undefined;
  readonly logger: Logger;
}

interface Setback {
  readonly reason: string;
  readonly waitMs: number;
  readonly until: number;
}

/** The wait doubles with each try of an endpoint; ms. */
const firstWaitMs = 5000;
const longestWaitMs = 600_000;
const remembered = 10_000;

/**
 * Endpoints whose secrets cannot be opened although they are not erased. An operator has to mend that, a master key for
 * one, so each is tried ever less often, by whichever delivery comes first then, and told of once for each reason.
 */
export class UnopenableSecrets {
  readonly #ports: UnopenableSecretsPorts;
  readonly #of = new Map<WebhookId, Setback>();

  constructor(ports: UnopenableSecretsPorts) {
    this.#ports = ports;
  }

  /** After so many milliseconds to come back, a little later each; undefined when the endpoint may be tried now. */
  waitMs(webhookId: WebhookId): number | undefined {
    const leftMs = (this.#of.get(webhookId)?.until ?? 0) - this.#ports.now();
    return leftMs > 0 ? this.#spread(Math.max(leftMs, firstWaitMs)) : undefined;
  }

  /** After so many milliseconds to come back. */
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
