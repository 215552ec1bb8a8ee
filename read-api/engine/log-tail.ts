import type { Logger } from 'pino';
import { origin } from '../../infra/event-store/client/position.ts';
import type {
  EventStore,
  Position,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../../infra/event-store/client/types.ts';

interface LogTailOptions {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly logger: Logger;
  /** Starts the sentence that is logged if the subscription fails. */
  readonly what: string;
  readonly filter: Omit<SubscribeOptions, 'from'>;
  /** The present end of the log; undefined if it is empty. */
  readonly end: () => Promise<Position | undefined>;
  readonly onEvent: (event: RecordedEvent) => void;
  /** Called when later events are no longer delivered. */
  readonly onEnd: () => void;
}

/**
 * One subscription of this process to what is appended from now on, started by the first that needs it. After it has ended, the next
 * that needs it starts another.
 */
export class LogTail {
  readonly #options: LogTailOptions;
  #subscription: Subscription | undefined;
  #following: Promise<void> | undefined;
  #seen = origin;

  constructor(options: LogTailOptions) {
    this.#options = options;
  }

  /** Every event of the subscription up to this position was delivered, or is older than the subscription. */
  get seen(): Position {
    return this.#seen;
  }

  /** Resolves once every later append is delivered. Rejects with `EventStoreUnavailable`. */
  follow(): Promise<void> {
    return (this.#following ??= this.#follow());
  }

  async close(): Promise<void> {
    await this.#subscription?.close();
  }

  async #follow(): Promise<void> {
    const { store, filter, end } = this.#options;
    try {
      const from = await end();
      this.#seen = from ?? origin;
      this.#subscription = store.subscribe({ from: from ?? 'start', ...filter });
      void this.#deliver(this.#subscription);
    } catch (error) {
      this.#following = undefined;
      throw error;
    }
  }

  async #deliver(messages: Subscription): Promise<void> {
    const { logger, what, onEvent, onEnd } = this.#options;
    try {
      for await (const message of messages) {
        if (message.kind !== 'event') continue;
        this.#seen = message.event.position;
        onEvent(message.event);
      }
    } catch (error) {
      logger.error({ err: error }, `${what} are no longer followed; all streams end.`);
    }
    this.#following = undefined;
    onEnd();
  }
}
