import { startAfter } from '../event-store/client/position.ts';
import type {
  EventStore,
  Position,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../event-store/client/types.ts';

/** The consumer of a followed log. It stores its own checkpoint, together with or after the effects of events. */
export interface Consumer {
  /** Adds an event. Resolves when there is room for the next one; rejects once the work has failed. */
  add(event: RecordedEvent): Promise<void>;
  /** All events up to the position have been added; the others are not for this consumer. */
  pass(position: Position): void;
  /** Settles when the work has ended or failed. */
  readonly finished: Promise<unknown>;
  /** Finishes added events. Rejects with the error that ended the work. */
  close(): Promise<void>;
}

/** The part of the log to follow, selected by `prefixes` or `types`. */
interface Source extends Pick<SubscribeOptions, 'prefixes' | 'types'> {
  readonly store: Pick<EventStore, 'subscribe'>;
  /** The checkpoint; undefined if there is none. */
  readonly from: Position | undefined;
}

/**
 * Feeds a consumer the log behind its checkpoint, in order, until the signal. Rejects if the work or the subscription fails, and
 * if the subscription ends unexpectedly.
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
