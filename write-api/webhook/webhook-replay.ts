import type {
  ExistingWebhook,
  ForecastCount,
  ReplayOrder,
  RequestedReplay,
  WebhookCommands,
} from '../../commands/webhook-endpoint/index.ts';
import { invalid } from '../../contracts/field-errors.ts';
import type { ReplayForecast, ReplayRange, WebhookReplay } from '../../contracts/resources/webhook-replay.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { timeOf } from '../../infra/http/time.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

/** The routes that start, count and cancel a replay of a range. */
export function webhookReplayHandlers(
  webhooks: WebhookCommands,
  clock: Clock,
  { answeringOn }: Handling,
): HandlersOf<'webhooks.replay' | 'webhooks.cancel-replay'> {
  const onEndpoint = answeringOn(({ accountId }, id) => webhooks.find(accountId, id));
  return {
    'webhooks.replay': onEndpoint(async ({ caller, found, body }) => {
      const order = orderOf(body, clock);
      if (body.dry_run === true) return { body: counted(await webhooks.forecastReplay(found, order)) };
      const replay = await webhooks.requestReplay(found, order, caller.context);
      return { body: begun(found, order, replay), position: replay.position };
    }),
    'webhooks.cancel-replay': onEndpoint(async ({ caller, found, params }) => ({
      position: await webhooks.cancelReplay(found, params.replay_id, caller.context),
    })),
  };
}

/** The range of a body: in the past, and not empty. Its default end is now. */
function orderOf({ since, until, types }: ReplayRange, clock: Clock): ReplayOrder {
  const now = clock.now().getTime();
  const from = timeOf('/body/since', since).getTime();
  const to = until === undefined ? now : timeOf('/body/until', until).getTime();
  if (to > now) throw invalid({ path: '/body/until', code: 'future', message: 'must not be in the future' });
  if (from >= to)
    throw invalid({ path: '/body/since', code: 'range', message: 'must be before until, by default now' });
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), types: types ?? null };
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
