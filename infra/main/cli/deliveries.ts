import { Option, type Command } from 'commander';
import { assertActive } from '../../../commands/webhook-delivery/requeue.ts';
import type { AccountId, WebhookDeliveryId, WebhookId } from '../../../contracts/ids.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../../contracts/resources/webhook-delivery.ts';
import {
  deadLettersOf,
  latestEndpoints,
  listDeliveries,
  overdueDeliveries,
  waitingDeliveries,
  type DeliverySummary,
} from '../../../projections/queries/webhook-delivery.ts';
import { failingEndpoints } from '../../../projections/queries/webhook-endpoint.ts';
import { asOperator, type Operator } from './operator.ts';
import { show, tableOf, type Json } from './output.ts';
import { accountId, count, deliveryId, time, webhookId } from './parse.ts';
import { requeueAll } from './requeue.ts';

/** `service deliveries …` */
export function deliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('events on their way to webhook endpoints');
  deliveries
    .command('list')
    .description('the newest first, as the read model has them')
    .option('--account <id>', 'of this account', accountId)
    .option('--webhook <id>', 'to this endpoint', webhookId)
    .addOption(new Option('--status <status>', 'in this state only').choices(deliveryStatuses))
    .option('--limit <deliveries>', 'at most this many', count, 50)
    .option('--json', 'print one JSON array')
    .action(list);
  deliveries
    .command('requeue')
    .description('give dead letters another round of attempts; exit status 1 when one was refused')
    .argument('[deliveries...]', 'dlv_<uuid> …', idList, [])
    .option('--webhook <id>', 'with --dead: every dead letter of this endpoint', webhookId)
    .option('--dead', 'with --webhook')
    .option('--since <time>', 'with --dead: only those that died at or after this, in ISO 8601', time)
    .option('--json', 'print one JSON object')
    .action(requeue);
  deliveries
    .command('stuck')
    .description('what is open and more than a minute late, and the endpoints that fail or wait most')
    .option('--limit <rows>', 'at most this many of each', count, 20)
    .option('--json', 'print one JSON object')
    .action(stuck);
}

interface Listing extends Json {
  readonly account?: AccountId;
  readonly webhook?: WebhookId;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

function list({ json, ...filter }: Listing): Promise<void> {
  return asOperator(async ({ pool }) => {
    const rows = await listDeliveries(pool, filter);
    const head = ['delivery', 'endpoint', 'event', 'status', 'attempts', 'last', 'next attempt', 'created'];
    show(json, rows, tableOf([head, ...rows.map(cells)]));
  });
}

const cells = (row: DeliverySummary) => {
  const last = row.attempts.at(-1);
  return [
    row.id,
    row.endpoint_id,
    row.event_type,
    row.status,
    row.attempt_count,
    last?.error ?? last?.response_status,
    row.next_attempt_at?.toISOString(),
    row.created_at.toISOString(),
  ];
};

interface Requeueing extends Json {
  readonly webhook?: WebhookId;
  readonly dead?: boolean;
  readonly since?: string;
}

function requeue(ids: readonly WebhookDeliveryId[], options: Requeueing): Promise<void> {
  const { webhook, dead = false, since, json } = options;
  const isOfOneEndpoint = webhook !== undefined && dead && ids.length === 0;
  const isOfIds = webhook === undefined && !dead && since === undefined && ids.length > 0;
  if (!isOfOneEndpoint && !isOfIds)
    throw new Error('Name deliveries, or --webhook and --dead with or without --since.');
  return asOperator(async (operator) => {
    const named = webhook === undefined ? ids : await deadLettersTo(operator, webhook, since);
    const { requeued, waiting, refused } = await requeueAll(operator, named);
    show(json, { requeued, waiting, refused }, [
      `${requeued} requeued${waiting > 0 ? `, ${waiting} wait for an attempt already` : ''}`,
      ...refused.map(({ delivery_id, reason }) => `${delivery_id} was refused: ${reason}`),
    ]);
    if (refused.length > 0) process.exitCode = 1;
  });
}

async function deadLettersTo({ runner, pool }: Operator, webhook: WebhookId, since: string | undefined) {
  await assertActive(runner, webhook);
  return deadLettersOf(pool, webhook, since);
}

function stuck({ limit, json }: Json & { readonly limit: number }): Promise<void> {
  return asOperator(async ({ pool }) => {
    const [{ open, overdue, oldestDueSeconds }, deliveries, late, failing] = await Promise.all([
      waitingDeliveries(pool),
      overdueDeliveries(pool, limit),
      latestEndpoints(pool, limit),
      failingEndpoints(pool, limit),
    ]);
    const result = { open, overdue, oldest_due_seconds: oldestDueSeconds, deliveries, late, failing };
    const oldest = Math.round(oldestDueSeconds);
    show(json, result, [
      `${open} wait for an attempt, ${overdue} of them more than a minute late; the oldest was due ${oldest} s ago`,
      ...section(['delivery', 'endpoint', 'event', 'attempts', 'due'], deliveries, (row) => [
        row.id,
        row.endpoint_id,
        row.event_type,
        row.attempt_count,
        row.next_attempt_at.toISOString(),
      ]),
      ...section(['endpoint', 'due', 'late by'], late, (row) => [
        row.id,
        row.deliveries,
        `${Math.round(row.seconds)} s`,
      ]),
      ...section(['endpoint', 'account', 'failures in a row', 'address'], failing, (row) => [
        row.id,
        row.account_id,
        row.consecutive_failures,
        row.url,
      ]),
    ]);
  });
}

/** A table below an empty line; nothing when it would be empty. */
const section = <Row>(
  head: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly (string | number)[],
): string[] => (rows.length === 0 ? [] : ['', ...tableOf([head, ...rows.map(cellsOf)])]);

const idList = (text: string, before: readonly WebhookDeliveryId[]): readonly WebhookDeliveryId[] => [
  ...before,
  deliveryId(text),
];
