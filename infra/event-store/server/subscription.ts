import { Checkpoints, type LogPosition } from './checkpoints.ts';
import { take, type Faults } from './faults.ts';
import { consumerTooSlow } from './grpc-errors.ts';
import type { Outgoing } from './outgoing.ts';
import type { RecordFilter } from './record-filter.ts';
import { caughtUp, checkpoint, confirmation, type Presenter } from './read-responses.ts';
import { StoredRecord } from './record.ts';
import type { ReadContext, SubscriptionSource } from './record-sources.ts';

/** Page size. A live subscriber with a larger backlog has fallen behind. */
const PAGE = 64;

export interface SubscriptionPlan extends SubscriptionSource {
  readonly present: Presenter;
  readonly filter?: RecordFilter;
}

/**
 * Follows the log until the caller disconnects: confirmation, existing events, "caught up", then new events.
 *
 * - It reads the log itself and commits only wake it, so a slow subscriber uses no memory.
 * - One that falls behind is served from the log, and gets another "caught up" at the end. No version of EventStoreDB sends it a
 *   "fell behind"; up to 24.2 they end its call instead.
 * - Filtered subscriptions get checkpoints, after the events before them.
 *
 * @throws RpcError if a fault drops slow subscribers
 */
export async function runSubscription(
  { signals, faults }: Pick<ReadContext, 'signals' | 'faults'>,
  outgoing: Outgoing,
  plan: SubscriptionPlan,
): Promise<void> {
  const delivery = new Delivery(outgoing, plan, faults);
  outgoing.send(confirmation(crypto.randomUUID()));
  while (!outgoing.signal.aborted) {
    const page = plan.source.next(PAGE);
    if (page.length > 0) {
      if (delivery.live && page.length === PAGE && delivery.waited) delivery.fallBehind();
      if ((await delivery.deliver(page)) === 'ended') return;
    } else if (delivery.live) {
      await signals.next(plan.source.stream, outgoing.signal);
    } else {
      await delivery.catchUp();
    }
  }
}

class Delivery {
  readonly #outgoing: Outgoing;
  readonly #plan: SubscriptionPlan;
  readonly #faults: Faults;
  readonly #checkpoints: Checkpoints | undefined;
  #sent = 0;
  /** True once the subscriber has caught up. */
  live = false;
  /** True if the subscriber was slow during the last page. */
  waited = false;

  constructor(outgoing: Outgoing, plan: SubscriptionPlan, faults: Faults) {
    this.#outgoing = outgoing;
    this.#plan = plan;
    this.#faults = faults;
    this.#checkpoints = plan.filter && new Checkpoints(plan.filter, plan.start);
  }

  async deliver(page: readonly Buffer[]): Promise<'delivered' | 'ended'> {
    const { filter, present } = this.#plan;
    this.waited = false;
    for (const record of page) {
      if (this.#outgoing.signal.aborted) return 'ended';
      const matches = !filter || filter.matches(record);
      if (matches) {
        await this.#send(present(record));
        if ((await this.#misbehave(record)) === 'ended') return 'ended';
      }
      await this.#sendCheckpoint(this.#checkpoints?.consider(record, matches, this.live));
    }
    await this.#flush();
    return 'delivered';
  }

  async catchUp(): Promise<void> {
    await this.#sendCheckpoint(this.#checkpoints?.caughtUp());
    await this.#send(caughtUp);
    await this.#flush();
    this.live = true;
  }

  fallBehind(): void {
    if (this.#faults.dropSlowSubscribers) throw consumerTooSlow();
    this.#checkpoints?.fellBehind();
    this.live = false;
  }

  async #sendCheckpoint(position: LogPosition | undefined): Promise<void> {
    if (position !== undefined) await this.#send(checkpoint(position));
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
    if (faults.repeatCaughtUp) await this.#send(caughtUp);
    if (faults.checkpointEachEvent) {
      const { position } = new StoredRecord(record);
      await this.#send(checkpoint({ commit: position, prepare: position }));
    }
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
