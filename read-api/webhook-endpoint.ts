import { presentWebhook } from '../contracts/resources/webhook-endpoint.ts';
import { WebhookReplay } from '../contracts/resources/webhook-replay.ts';
import type { Call } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Tables } from '../projections/queries/tables.ts';
import { rowById } from '../projections/queries/detail.ts';
import { webhookList } from '../projections/queries/webhook-endpoint.ts';
import { replayById } from '../projections/queries/webhook-replay.ts';
import { webhooks } from '../projections/read-models/webhook-endpoint.ts';
import type { Reader } from './engine/credentials.ts';
import type { Details } from './engine/details.ts';
import type { Pages } from './engine/paging.ts';
import { idOf, readOne, resourceIn, type Read } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';

export function webhookReads(read: Read, { list }: Pages, details: Details, clock: Clock) {
  return {
    'webhooks.list': list('webhooks.list', webhookList, (row) => presentWebhook(row, clock.now())),
    ...details(
      'webhooks',
      ownResource(read, {
        model: webhooks,
        idOf: (text) => idOf('webhook', text),
        statement: rowById(webhooks),
        show: (row, at) => (row.deleted_at === null ? presentWebhook(row, at) : undefined),
      }),
    ),
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
