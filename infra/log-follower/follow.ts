import { startAfter } from '../event-store/client/position.ts';
import type {
  EventStore,
  Position,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../event-store/client/types.ts';

/** The work that a follower hands the log to. It keeps its own checkpoint, with the effects of events or behind them. */
export interface Consumer {
  /** Takes an event. Resolves when there is room for the next one; rejects once the work has failed. */
  add(event: RecordedEvent): Promise<void>;
  /** Every event up to the position has been added; the others before it are not for this consumer. */
  pass(position: Position): void;
  /** Settles when the work has ended, either way. */
  readonly finished: Promise<unknown>;
  /** Ends the work on what was added. Rejects with the error that ended it. */
  close(): Promise<void>;
}

/** `prefixes` or `types` say what is followed. */
interface Source extends Pick<SubscribeOptions, 'prefixes' | 'types'> {
  readonly store: Pick<EventStore, 'subscribe'>;
  /** The checkpoint; undefined where there is none yet. */
  readonly from: Position | undefined;
}

/**
 * Hands a consumer the log after its checkpoint, in order, until the signal ends that. Rejects when the work or the subscription
 * fails, and when the subscription ends by itself.
 */
export async function followLog(
  { store, from, ...filter }: Source,
  consumer: Consumer,
  signal: AbortSignal,
): Promise<void> {
  const subscription = store.subscribe({ from: startAfter(from), ...filter });
  const close = (): void => void subscription.close();
  signal.addEventListener('abort', close);
  consumer.finished.then(close, close);
  if (signal.aborted) close();
  try {
    await handOver(subscription, consumer);
  } finally {
    signal.removeEventListener('abort', close);
    await subscription.close();
    await consumer.close();
  }
  if (!signal.aborted) throw new Error('The subscription ended by itself.');
}

async function handOver(subscription: Subscription, consumer: Consumer): Promise<void> {
  for await (const message of subscription) {
    if (message.kind === 'event') await consumer.add(message.event);
    else if (message.kind === 'checkpoint') consumer.pass(message.position);
  }
}
