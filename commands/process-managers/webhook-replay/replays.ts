import { webhookReplayEvents, type WebhookReplayEvent } from '../../../contracts/events/webhook-replay.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import type { Logger } from 'pino';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { inBatches } from '../../engine/in-batches.ts';
import { isKnown } from '../../engine/recording.ts';
import type { ProcessManager } from '../engine/process-manager.ts';
import { name, takeStep, type ReplayPorts, type StepBefore } from './step.ts';

/** Carries replays on, each step in reaction to the event that the step before it ended with. */
export const webhookReplays = (ports: ReplayPorts): ProcessManager => ({
  name,
  categories: [webhookReplayEvents.name],
  handle: async (event) => {
    if (leadsOn(event)) await takeStep(ports, event);
  },
});

const leadsOn = (event: RecordedEvent): event is StepBefore =>
  isKnown<WebhookReplayEvent>(webhookReplayEvents, event) &&
  (event.type === 'ReplayRequested' || event.type === 'ReplayAdvanced');

const replaysAtOnce = 4;

/** Takes the next step of the replays that wait because too much of them was under way, if that is over. */
export async function sweepReplays(ports: ReplayPorts & { readonly logger: Logger }): Promise<void> {
  const { source, store, logger } = ports;
  await inBatches(await source.running(), replaysAtOnce, async (webhookId) => {
    const stream = `${webhookReplayEvents.name}-${uuidOf(webhookId)}`;
    try {
      for await (const last of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
        if (leadsOn(last)) await takeStep(ports, last);
      }
    } catch (error) {
      logger.warn({ err: error, webhook: webhookId }, 'A replay did not get on and is tried again.');
    }
  });
}
