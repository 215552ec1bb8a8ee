import { availableParallelism } from 'node:os';
import { FairSemaphore } from '../../platform/fair-semaphore.ts';
import { unavailableFailure } from '../node/driver.ts';

/** Starts of one account that may wait, for each start that runs at once: one more would not begin within the minute that a create has. */
const mostWaiting = 60;

interface StartFor {
  /** The mark of the account. */
  readonly tenant: string;
  /** Aborted: a start that waits rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a start when it is its account's turn; one for no account, when no other waits. Throws `OperationFailed` when too many of
 * the account wait.
 */
export type Starts = <Started>(start: () => Promise<Started>, of?: StartFor) => Promise<Started>;

/** A start takes a processor for a second: more of them at once would all end later, and slow down operations on other browsers. */
export function shareStarts(atOnce = availableParallelism()): Starts {
  const permits = new FairSemaphore(atOnce);
  return async (start, { tenant, signal }: Partial<StartFor> = {}) => {
    if (permits.waiting(tenant) >= mostWaiting * atOnce)
      throw unavailableFailure('The node has too many browsers to start for this account.');
    await permits.acquire(tenant, signal);
    return start().finally(() => permits.release());
  };
}
