import type { WebhookId } from '../../contracts/ids.ts';
import { Cache } from '../../infra/platform/cache.ts';
import { EndpointLimiter } from './endpoint-limiter.ts';
import type { DeliveryPorts } from './ports.ts';

export interface SlotsOptions extends Pick<DeliveryPorts, 'now' | 'after' | 'random'> {
  /** Concurrent attempts to one responsive endpoint. */
  readonly slots: number;
  /** Hastens the wake-up of an attempt that was put back. */
  readonly call: (wakeUpId: string) => void;
}

export interface Slot {
  /** Average duration of an attempt to the endpoint, in milliseconds. */
  readonly usualMs: number;
  readonly end: (hasSucceeded: boolean) => void;
}

/** Milliseconds until the next try, unless it is called earlier. */
export interface PutBack {
  readonly waitMs: number;
}

/** How long an attempt may wait in this process, where it occupies the worker's concurrency; ms. */
const longestHoldMs = 250;

/** Back-off of uncalled tries in ms, in case the calling worker crashed. */
const shortestWaitMs = 10_000;
const longestWaitMs = 600_000;

/** Idle limiters kept beyond the active ones. */
const rememberedLimiters = 10_000;

/**
 * The slots of this worker, per endpoint. A delivery without a slot returns to the queue, behind earlier ones, and is called in
 * turn: a backlog of any length neither polls nor arrives all at once, and takes nothing from other endpoints.
 */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #limiters = new Map<WebhookId, EndpointLimiter>();
  /** The queue that waiting deliveries return to. */
  readonly #waiting = new Cache<string, WebhookId>({ maxEntries: 100_000 });

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** Waits briefly for a slot of the endpoint. Without one, the delivery is called when a slot is free. */
  async enter(webhookId: WebhookId, wakeUpId: string): Promise<Slot | PutBack> {
    return (
      (await this.tryToEnter(webhookId, wakeUpId)) ??
      this.#putBack(this.#limiterOf(webhookId), webhookId, wakeUpId)
    );
  }

  /** The same for a delivery that is not in the queue, and is never called. */
  async tryToEnter(webhookId: WebhookId, wakeUpId: string): Promise<Slot | undefined> {
    const limiter = this.#limiterOf(webhookId);
    const hasSlot =
      limiter.begin(wakeUpId, this.#options.now()) || (await this.#isHeldUntilItsTurn(limiter, wakeUpId));
    return hasSlot ? this.#slotIn(limiter, wakeUpId) : undefined;
  }

  /** The wait of a delivery that was put back and came before there is a slot for it. */
  tooEarly(wakeUpId: string): PutBack | undefined {
    const webhookId = this.#waiting.get(wakeUpId);
    if (webhookId === undefined) return undefined;
    const limiter = this.#limiterOf(webhookId);
    if (limiter.hasRoom(wakeUpId, this.#options.now())) return undefined;
    return this.#putBack(limiter, webhookId, wakeUpId);
  }

  /** Stops waiting. */
  forget(wakeUpId: string): void {
    const webhookId = this.#waiting.get(wakeUpId);
    if (webhookId === undefined) return;
    this.#waiting.delete(wakeUpId);
    this.#limiters.get(webhookId)?.forget(wakeUpId);
  }

  #limiterOf(webhookId: WebhookId): EndpointLimiter {
    this.#evictOldest();
    const limiter = this.#limiters.get(webhookId) ?? new EndpointLimiter(this.#options.slots);
    this.#moveToEnd(webhookId, limiter);
    return limiter;
  }

  #evictOldest(): void {
    const [oldest] = this.#limiters;
    if (oldest === undefined) return;
    const [webhookId, limiter] = oldest;
    const isUnused = limiter.isUnused(this.#options.now());
    if (!isUnused && this.#limiters.size < rememberedLimiters) return;
    if (isUnused || limiter.isIdle) this.#limiters.delete(webhookId);
    // It must not keep all behind it.
    else this.#moveToEnd(webhookId, limiter);
  }

  /** The order is by last use. */
  #moveToEnd(webhookId: WebhookId, limiter: EndpointLimiter): void {
    this.#limiters.delete(webhookId);
    this.#limiters.set(webhookId, limiter);
  }

  #slotIn(limiter: EndpointLimiter, wakeUpId: string): Slot {
    const { now, call } = this.#options;
    this.#waiting.delete(wakeUpId);
    return {
      usualMs: limiter.usualMs,
      end: (hasSucceeded) => {
        limiter.end(wakeUpId, hasSucceeded, now());
        limiter.next(now()).forEach(call);
      },
    };
  }

  #putBack(limiter: EndpointLimiter, webhookId: WebhookId, wakeUpId: string): PutBack {
    this.#waiting.set(wakeUpId, webhookId);
    const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, limiter.queueUp(wakeUpId)));
    return { waitMs: Math.ceil(waitMs * (1 + this.#options.random() / 2)) };
  }

  #isHeldUntilItsTurn(limiter: EndpointLimiter, wakeUpId: string): Promise<boolean> {
    const { now, after } = this.#options;
    return new Promise((resolve) => {
      const begin = () => {
        callOff();
        resolve(true);
      };
      if (!limiter.hold(wakeUpId, now(), begin)) return resolve(false);
      const callOff = after(longestHoldMs, () => {
        limiter.release(wakeUpId);
        resolve(false);
      });
    });
  }
}
