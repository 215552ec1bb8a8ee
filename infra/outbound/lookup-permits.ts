import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { Semaphore } from '../platform/semaphore.ts';

/**
 * Maximum concurrent look-ups of all browsers of a node. Each occupies a thread until its name server answers; with `UV_THREADPOOL_SIZE` 64,
 * Node uses 32 threads for look-ups, and the node's own need some.
 */
const atOnce = 24;
/** Of these, for one account: names whose servers hang must not hold up the others. */
const ofTenant = 8;

/** Permits of look-ups, shared by the browsers of a node. Accounts that wait get them in turn. */
export class LookupPermits {
  readonly #all = new FairSemaphore(atOnce);
  /** By account, with the number of its look-ups, waiting ones included. Without entries of accounts that have none. */
  readonly #tenants = new Map<string | undefined, { readonly permits: Semaphore; count: number }>();

  /** Does the work with a permit, which is released when it has ended, however it ends. */
  async hold<T>(tenant: string | undefined, work: () => Promise<T>): Promise<T> {
    const own = this.#tenants.get(tenant) ?? { permits: new Semaphore(ofTenant), count: 0 };
    this.#tenants.set(tenant, own);
    own.count += 1;
    try {
      return await own.permits.hold(() => this.#all.hold(tenant, work));
    } finally {
      own.count -= 1;
      if (own.count === 0) this.#tenants.delete(tenant);
    }
  }
}
