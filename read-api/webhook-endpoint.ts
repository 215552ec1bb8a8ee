import { parseId, type WebhookId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Webhook } from '../contracts/resources/webhook-endpoint.ts';
import type { WebhookReplay } from '../contracts/resources/webhook-replay.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { listPage } from './engine/paging.ts';
import { notFound, type Read } from './engine/reading.ts';
import type { ReplayRow, WebhookRow } from '../projections/queries/tables.ts';
import { webhookById, webhookList } from '../projections/queries/webhook-endpoint.ts';
import { replayById } from '../projections/queries/webhook-replay.ts';

type WebhookRoutes = Pick<
  Handlers<'read', Reader>,
  'webhooks.list' | 'webhooks.get' | 'webhooks.replay-progress'
>;

export function webhookReads(read: Read, cursors: Cursors, clock: Clock): WebhookRoutes {
  const show = (row: WebhookRow) => showWebhook(row, clock.now());

  return {
    'webhooks.list': { run: listPage({ route: 'webhooks.list', read, cursors, list: webhookList, show }) },
    'webhooks.get': {
      run: async (call) => {
        const webhookId = webhookIdOf(call.params.id);
        const { accountId } = call.caller;
        const { rows, stale, freshness } = await read(call, webhookById, { accountId, webhookId });
        const [row] = rows;
        if (row === undefined) throw notFound(stale);
        return { body: show(row), ...freshness };
      },
    },
    'webhooks.replay-progress': {
      run: async (call) => {
        const webhookId = webhookIdOf(call.params.id);
        const replayId = parseId('webhookReplay', call.params.replay_id);
        if (replayId === undefined) throw refuse('not-found');
        const { accountId } = call.caller;
        const { rows, stale, freshness } = await read(call, replayById, { accountId, webhookId, replayId });
        const [row] = rows;
        if (row === undefined) throw notFound(stale);
        return { body: showReplay(row), ...freshness };
      },
    },
  };
}

/** Of a path. What is no id of an endpoint is as unknown as one that never was. */
export function webhookIdOf(text: string): WebhookId {
  const webhookId = parseId('webhook', text);
  if (webhookId === undefined) throw refuse('not-found');
  return webhookId;
}

/** The secret before the last rotation is named only while it signs. */
const showWebhook = (row: WebhookRow, now: Date): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  ...(row.description !== null && { description: row.description }),
  consecutive_failures: row.consecutive_failures,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  secret_created_at: row.secret_created_at.toISOString(),
  previous_secret_expires_at: ahead(row.previous_secret_expires_at, now),
});

const ahead = (time: Date | null, now: Date): string | null =>
  time !== null && time > now ? time.toISOString() : null;

const showReplay = (row: ReplayRow): WebhookReplay => ({
  kind: 'replay',
  id: row.id,
  endpoint_id: row.endpoint_id,
  status: row.status,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  types: row.types,
  scheduled: row.scheduled,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});
