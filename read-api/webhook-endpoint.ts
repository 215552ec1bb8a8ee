import { presentWebhook } from '../contracts/resources/webhook-endpoint.ts';
import { WebhookReplay } from '../contracts/resources/webhook-replay.ts';
import type { Call } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Tables } from '../projections/queries/tables.ts';
import { webhookById, webhookList } from '../projections/queries/webhook-endpoint.ts';
import { replayById } from '../projections/queries/webhook-replay.ts';
import type { Reader } from './engine/credentials.ts';
import type { Pages } from './engine/paging.ts';
import { idOf, readOne, resourceIn, showOne, type Read } from './engine/reading.ts';

export function webhookReads(read: Read, { list }: Pages, clock: Clock) {
  const show = (row: Tables['read_model.webhooks']) => presentWebhook(row, clock.now());
  return {
    'webhooks.list': list('webhooks.list', webhookList, show),
    'webhooks.get': showOne(read, 'webhook', webhookById, show),
    'webhooks.replay-progress': {
      run: async (call: Call<'webhooks.replay-progress', Reader, never>) => {
        const { accountId } = call.caller;
        const webhookId = idOf('webhook', call.params.id);
        const replayId = idOf('webhookReplay', call.params.replay_id);
        return readOne(read, call, replayById, { accountId, webhookId, replayId }, showReplay);
      },
    },
  };
}

const showReplay = (row: Tables['read_model.webhook_replays']) =>
  resourceIn(WebhookReplay, { kind: 'replay', ...row });
