import { refuse } from '../../contracts/problems.ts';
import { addressKey } from '../platform/address-key.ts';
import { Semaphore } from '../platform/semaphore.ts';

export interface ShareLimits {
  /** Requests of an address that are under way at once. */
  readonly atOnce: number;
  /** Requests of an address that wait for their turn. */
  readonly mostWaiting: number;
}

interface Share {
  readonly turns: Semaphore;
  /** Requests under way or waiting. */
  requests: number;
}

/**
 * Shares the connections to an upstream between the addresses of clients: an address that sends many requests, or does not read its
 * answers, waits for its own. An IPv6 network counts as one address.
 */
export class Shares {
  readonly #limits: ShareLimits;
  readonly #byAddress = new Map<string, Share>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Does the work once it is its turn. Throws `rate-limited` when too many requests of the address wait. */
  async within<T>(address: string, work: () => Promise<T>): Promise<T> {
    const key = addressKey(address);
    const share = this.#byAddress.get(key) ?? { turns: new Semaphore(this.#limits.atOnce), requests: 0 };
    if ((share.turns.queue ?? 0) >= this.#limits.mostWaiting)
      throw refuse('rate-limited', 'Too many requests of this address wait for an answer.', {
        retry_after_seconds: 1,
      });
    this.#byAddress.set(key, share);
    share.requests += 1;
    try {
      return await share.turns.hold(work);
    } finally {
      share.requests -= 1;
      if (share.requests === 0) this.#byAddress.delete(key);
    }
  }
}
