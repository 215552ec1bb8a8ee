import type { Logger } from 'pino';
import type { AccountId } from '../../contracts/ids.ts';
import type { EventStore, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { FairTurns } from '../../infra/platform/fair-turns.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { Listener, type ListenerOptions } from './listener.ts';
import { revisionBefore, stepOf, stepsFrom } from './steps.ts';

interface FollowerOptions {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly logger: Logger;
  /** Shares the reads of streams between accounts. */
  readonly turns: FairTurns;
}

interface ListenOptions extends Omit<ListenerOptions, 'catchUp'> {
  readonly accountId: AccountId;
}

/** Batch size of a catch-up. */
const batch = 200;

/**
 * Delivers the stream of one agent session to its listeners in this process.
 *
 * - A listener first reads the stream. The subscription started before that, so that every event is read, delivered later, or
 *   both; revisions identify duplicates.
 * - It is live once it has read as far as the subscription has delivered.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #stream: string;
  readonly #all = new Set<Listener>();
  readonly #live = new Set<Listener>();
  /** Revision of the last delivered event. */
  #revision = -1n;
  #shown: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions, stream: string) {
    this.#options = options;
    this.#stream = stream;
  }

  get isIdle(): boolean {
    return this.#all.size === 0;
  }

  listen(options: ListenOptions): Listener {
    const listener: Listener = new Listener({
      ...options,
      catchUp: () => this.#catchUp(listener, options),
      onClose: () => {
        this.#all.delete(listener);
        this.#live.delete(listener);
        options.onClose();
      },
    });
    this.#all.add(listener);
    return listener;
  }

  /** Delivers an event to all listeners, in the order of the stream. */
  deliver(event: RecordedEvent): void {
    this.#revision = event.revision;
    this.#shown = this.#shown.then(() => this.#show(event));
  }

  async #show(event: RecordedEvent): Promise<void> {
    try {
      const step = await stepOf(event, this.#options.vault);
      for (const listener of this.#live) listener.advance(step);
    } catch (error) {
      this.#options.logger.warn({ err: error, stream: this.#stream }, 'An entry could not be opened.');
      // Skipping the entry would leave a gap: the listeners are disconnected and reconnect.
      for (const listener of this.#live) listener.destroy();
    }
  }

  async #catchUp(listener: Listener, { accountId, after }: ListenOptions): Promise<void> {
    const { turns } = this.#options;
    // Nothing is read for a listener that has left while it waited for its turn.
    const search = async () => (listener.isOver ? 0n : revisionBefore(this.#options, this.#stream, after));
    let next = after < 0 ? 0n : await turns.hold(accountId, search);
    const read = async () => (listener.isOver ? null : stepsFrom(this.#options, this.#stream, next, batch));
    for (;;) {
      // A turn for each batch: none is held while a client reads slowly.
      const steps = await turns.hold(accountId, read);
      if (steps === null) return;
      for (const step of steps) {
        listener.advance(step);
        await listener.drained();
        if (listener.isOver) return;
        next = step.revision + 1n;
      }
      const isAtEnd = steps.length < batch && this.#revision < next;
      if (isAtEnd) break;
    }
    if (!listener.isOver) this.#live.add(listener);
  }
}
