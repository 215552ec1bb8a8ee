import { availableParallelism } from 'node:os';
import { FairSemaphore } from '../../platform/fair-semaphore.ts';
import { unavailableFailure } from '../node/driver.ts';

/**
 * Queued starts per account, for each start that runs at once: one more could not begin within a create's time limit of
 * one minute.
 */
const mostWaiting = 60;

export interface StartFor {
  /** Opaque id of the account. */
  readonly tenant: string;
  /** When aborted, a queued start rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Queues starts fairly by account; those for the pool run when no account waits. Throws `OperationFailed` when the
 * account's queue is full.
 */
export type Starts = <Started>(start: () => Promise<Started>, of?: StartFor) => Promise<Started>;

/**
 * A start takes a processor for a second: more of them at once would all end later, and slow down operations on other
 * browsers.
 */
export function shareStarts(atOnce = availableParallelism()): Starts {
  const permits = new FairSemaphore(atOnce);
  return async (start, { tenant, signal }: Partial<StartFor> = {}) => {
    if (permits.waiting(tenant) >= mostWaiting * atOnce)
      throw unavailableFailure('The node has too many browsers to start for this account.');
    await permits.acquire(tenant, signal);
    return start().finally(() => permits.release());
  };
}
