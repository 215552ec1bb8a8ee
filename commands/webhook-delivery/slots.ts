import type { WebhookId } from '../../contracts/ids.ts';
import type { After } from '../../infra/platform/clock.ts';
import { EndpointLimiter } from './endpoint-limiter.ts';

export interface SlotsOptions {
  /** Attempts at once to one endpoint that answers. */
  readonly slots: number;
  /** Milliseconds that only ever go forward. */
  readonly now: () => number;
  readonly after: After;
  readonly random: () => number;
  /** Has an attempt that was put back come at once. */
  readonly call: (wakeUpId: string) => void;
}

export interface Slot {
  /** How long an attempt to the endpoint usually takes, milliseconds. */
  readonly usualMs: number;
  readonly end: (hasSucceeded: boolean) => void;
}

/** Milliseconds after which to come back, if nobody calls before. */
export interface PutBack {
  readonly waitMs: number;
}

/** How long an attempt may wait in this process, where it holds a place among all attempts of the worker; ms. */
const longestHoldMs = 250;

/** The times to come back at uncalled, ms: whoever was to call may be gone. */
const shortestWaitMs = 10_000;
const longestWaitMs = 600_000;

/** How many are remembered beyond those at work. */
const rememberedLanes = 10_000;
const rememberedWaiting = 100_000;

/**
 * The slots of this worker, per endpoint. Who finds none goes back into the queue, behind those before it, and is called
 * when it is its turn: a backlog of any length neither asks again and again nor comes all at once, and takes nothing from
 * other endpoints.
 */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #lanes = new Map<WebhookId, EndpointLimiter>();
  /** Where those that were put back belong. */
  readonly #waiting = new Map<string, WebhookId>();

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** Waits at most a moment for a slot of the endpoint. Who gets none is called when there is one. */
  async enter(webhookId: WebhookId, wakeUpId: string): Promise<Slot | PutBack> {
    return (
      (await this.tryToEnter(webhookId, wakeUpId)) ??
      this.#putBack(this.#laneOf(webhookId), webhookId, wakeUpId)
    );
  }

  /** The same for one that is not in the queue, and is not called. */
  async tryToEnter(webhookId: WebhookId, wakeUpId: string): Promise<Slot | undefined> {
    const lane = this.#laneOf(webhookId);
    const hasSlot =
      lane.begin(wakeUpId, this.#options.now()) || (await this.#isHeldUntilItsTurn(lane, wakeUpId));
    return hasSlot ? this.#slotIn(lane, wakeUpId) : undefined;
  }

  /** Of one that was put back and came before there is a slot for it. */
  tooEarly(wakeUpId: string): PutBack | undefined {
    const webhookId = this.#waiting.get(wakeUpId);
    if (webhookId === undefined) return undefined;
    const lane = this.#laneOf(webhookId);
    if (lane.hasRoom(wakeUpId, this.#options.now())) return undefined;
    return this.#putBack(lane, webhookId, wakeUpId);
  }

  /** It waits for nothing any more. */
  forget(wakeUpId: string): void {
    const webhookId = this.#waiting.get(wakeUpId);
    if (webhookId === undefined) return;
    this.#waiting.delete(wakeUpId);
    this.#lanes.get(webhookId)?.forget(wakeUpId);
  }

  #laneOf(webhookId: WebhookId): EndpointLimiter {
    const lane = this.#lanes.get(webhookId) ?? new EndpointLimiter(this.#options.slots);
    remember(this.#lanes, webhookId, lane);
    const [oldest] = this.#lanes;
    if (this.#lanes.size > rememberedLanes && oldest?.[1].isIdle === true) this.#lanes.delete(oldest[0]);
    return lane;
  }

  #slotIn(lane: EndpointLimiter, wakeUpId: string): Slot {
    const { now, call } = this.#options;
    this.#waiting.delete(wakeUpId);
    return {
      usualMs: lane.usualMs,
      end: (hasSucceeded) => {
        lane.end(wakeUpId, hasSucceeded, now());
        lane.next(now()).forEach(call);
      },
    };
  }

  #putBack(lane: EndpointLimiter, webhookId: WebhookId, wakeUpId: string): PutBack {
    remember(this.#waiting, wakeUpId, webhookId);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > rememberedWaiting && oldest !== undefined) this.#waiting.delete(oldest);
    const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, lane.queueUp(wakeUpId)));
    return { waitMs: Math.ceil(waitMs * (1 + this.#options.random() / 2)) };
  }

  #isHeldUntilItsTurn(lane: EndpointLimiter, wakeUpId: string): Promise<boolean> {
    const { now, after } = this.#options;
    return new Promise((resolve) => {
      const begin = () => {
        callOff();
        resolve(true);
      };
      if (!lane.hold(wakeUpId, now(), begin)) return resolve(false);
      const callOff = after(longestHoldMs, () => {
        lane.release(wakeUpId);
        resolve(false);
      });
    });
  }
}

/** As the one used last. */
function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
