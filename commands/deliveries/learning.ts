import type { Logger } from 'pino';
import { webhookDeliveryEvents } from '../../contracts/events/webhook-delivery.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/index.ts';
import type { EventStore, Subscription } from '../../infra/event-store/types.ts';
import type { LearningRunner } from '../runner.ts';

export interface LearningPorts {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly runner: Pick<LearningRunner, 'learn'>;
  readonly logger: Logger;
}

/**
 * Learns of deliveries as they are scheduled, whoever does it, so that their first attempts read nothing. What it misses is
 * read; what went on elsewhere meanwhile is found when the outcome is recorded.
 */
export function learnDeliveries({ store, runner, logger }: LearningPorts): { close(): Promise<void> } {
  const news = store.subscribe({ from: 'end', prefixes: [`${webhookDeliveryEvents.name}-`] });
  const learning = learn(news, runner, logger);
  return {
    close: async () => {
      await news.close();
      await learning;
    },
  };
}

async function learn(news: Subscription, runner: LearningPorts['runner'], logger: Logger): Promise<void> {
  try {
    for await (const message of news)
      if (message.kind === 'event') runner.learn(webhookDelivery, message.event);
  } catch (error) {
    logger.error({ err: error }, 'News of deliveries has stopped; each is read before its first attempt.');
  }
}
