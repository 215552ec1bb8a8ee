import type {
  ExistingWebhook,
  ForecastCount,
  ReplayOrder,
  RequestedReplay,
} from '../commands/webhook-endpoint/index.ts';
import type { ReplayForecast, WebhookReplay } from '../contracts/resources/webhook-replay.ts';
import { onFound } from '../infra/http/index.ts';
import { at } from './engine/handling.ts';
import { replayOrderOf } from './webhook-replay-order.ts';
import { foundBy, type HandlersOf, type WebhookHandlerOptions } from './webhook-endpoint.ts';

/** The routes that begin a replay of a range, or count what it would be, and end it. */
export function webhookReplayHandlers({
  webhooks,
  clock,
  answering,
}: WebhookHandlerOptions): HandlersOf<'webhooks.replay' | 'webhooks.cancel-replay'> {
  const exists = foundBy(webhooks);
  return {
    'webhooks.replay': onFound({
      exists,
      run: answering(async ({ caller, found, body }) => {
        const order = replayOrderOf(body, clock);
        if (body.dry_run === true) return { body: counted(await webhooks.forecastReplay(found, order)) };
        const replay = await webhooks.requestReplay(found, order, caller.context);
        return { body: begun(found, order, replay), ...at(replay.position) };
      }),
    }),
    'webhooks.cancel-replay': onFound({
      exists,
      run: answering(async ({ caller, found, params }) =>
        at(await webhooks.cancelReplay(found, params.replay_id, caller.context)),
      ),
    }),
  };
}

const begun = (
  { webhookId }: ExistingWebhook,
  { since, until, types }: ReplayOrder,
  { replayId, requestedAt }: RequestedReplay,
): WebhookReplay => ({
  kind: 'replay',
  id: replayId,
  endpoint_id: webhookId,
  status: 'running',
  since,
  until,
  types: types === null ? null : [...types],
  scheduled: 0,
  created_at: requestedAt,
  completed_at: null,
});

const counted = ({ matching, firstAt, lastAt }: ForecastCount): ReplayForecast => ({
  kind: 'dry_run',
  dry_run: true,
  matching,
  first_at: firstAt,
  last_at: lastAt,
});
