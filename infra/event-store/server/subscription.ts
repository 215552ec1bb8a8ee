import { take, type Faults } from './faults.ts';
import type { LogSignals } from './log-signals.ts';
import type { Outgoing } from './outgoing.ts';
import type { RecordFilter } from './record-filter.ts';
import { caughtUp, checkpoint, confirmation, fellBehind, type Presenter } from './read-responses.ts';
import { StoredRecord } from './record.ts';
import type { RecordSource } from './record-sources.ts';

/**
 * Events taken from the log at a time. A live subscriber for whom more than this has piled up while it was not reading
 * has fallen behind.
 */
const PAGE = 64;

export interface SubscriptionPlan {
  readonly source: RecordSource;
  readonly present: Presenter;
  readonly filter?: RecordFilter;
}

/**
 * Follows the log until the caller leaves: confirmation, the events there are, "caught up", then events as they come.
 * It reads the log itself and only gets woken, so a slow subscriber holds nothing in memory: it is told that it fell
 * behind, served from the log, and told again when it has caught up. Filtered subscriptions get checkpoints, always of
 * events that were looked at before and whose matches were sent.
 */
export async function runSubscription(
  { signals, faults }: { readonly signals: LogSignals; readonly faults: Faults },
  outgoing: Outgoing,
  plan: SubscriptionPlan,
): Promise<void> {
  const delivery = new Delivery(outgoing, plan, faults);
  outgoing.send(confirmation(crypto.randomUUID()));
  let live = false;
  while (!outgoing.signal.aborted) {
    const page = plan.source.next(PAGE);
    if (page.length > 0) {
      if (live && page.length === PAGE && delivery.waited) {
        live = false;
        outgoing.send(fellBehind);
      }
      if ((await delivery.deliver(page)) === 'ended') return;
    } else if (live) {
      await signals.next(plan.source.stream, outgoing.signal);
    } else {
      await delivery.sendCheckpoint();
      outgoing.send(caughtUp);
      await outgoing.flush();
      live = true;
    }
  }
}

class Delivery {
  readonly #outgoing: Outgoing;
  readonly #plan: SubscriptionPlan;
  readonly #faults: Faults;
  #considered = 0;
  #sent = 0;
  #lastPosition = 0;
  #checkpointed = 0;
  /** Whether the subscriber had to be waited for during the page delivered last. */
  waited = false;

  constructor(outgoing: Outgoing, plan: SubscriptionPlan, faults: Faults) {
    this.#outgoing = outgoing;
    this.#plan = plan;
    this.#faults = faults;
  }

  async deliver(page: readonly Buffer[]): Promise<'delivered' | 'ended'> {
    const { filter, present } = this.#plan;
    this.waited = false;
    for (const record of page) {
      if (this.#outgoing.signal.aborted) return 'ended';
      if (!filter || filter.matches(record)) {
        await this.#send(present(record));
        if ((await this.#misbehave(record)) === 'ended') return 'ended';
      }
      if (filter) {
        this.#lastPosition = new StoredRecord(record).position;
        this.#considered++;
        if (this.#considered >= filter.checkpointEvery) await this.sendCheckpoint();
      }
    }
    await this.#flush();
    return 'delivered';
  }

  /** Tells how far the log was looked at, once for each place. Only filtered subscriptions are told. */
  async sendCheckpoint(): Promise<void> {
    this.#considered = 0;
    if (this.#lastPosition <= this.#checkpointed) return;
    this.#checkpointed = this.#lastPosition;
    await this.#send(checkpoint(this.#lastPosition));
  }

  async #send(message: Buffer): Promise<void> {
    if (!this.#outgoing.send(message)) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (await this.#outgoing.flush()) this.waited = true;
  }

  async #misbehave(record: Buffer): Promise<'delivered' | 'ended'> {
    const faults = this.#faults;
    this.#sent++;
    if (faults.flapCaughtUp) {
      await this.#send(fellBehind);
      await this.#send(caughtUp);
    }
    if (faults.checkpointEachEvent) await this.#send(checkpoint(new StoredRecord(record).position));
    if (this.#sent < faults.subscriptionEventsBeforeFault) return 'delivered';
    if (take(faults, 'endSubscriptions')) return 'ended';
    if (take(faults, 'stallSubscriptions')) {
      await this.#flush();
      await abandoned(this.#outgoing.signal);
    }
    return 'delivered';
  }
}

const abandoned = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
