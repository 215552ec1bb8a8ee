import { Option } from 'commander';
import { assertActive, requeueDelivery, type Requeued } from '../../../commands/webhook-delivery/requeue.ts';
import type { WebhookDeliveryId, WebhookId } from '../../../contracts/ids.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { deliveryStatuses } from '../../../contracts/resources/webhook-delivery.ts';
import {
  deadLettersOf,
  latestEndpoints,
  listDeliveries,
  overdueDeliveries,
  waitingDeliveries,
  type DeliveryFilter,
} from '../../../projections/queries/webhook-delivery.ts';
import { failingEndpoints } from '../../../projections/queries/webhook-endpoint.ts';
import { openRows } from '../../personal/text.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import type { ServiceCommand } from './command.ts';
import { asOperator, type Operator } from './operator.ts';
import { headedTable, section, type Answer } from './output.ts';
import { count, idOf, time } from './parse.ts';

/** `service deliveries …` */
export function deliveryCommands(program: ServiceCommand): void {
  const deliveries = program.command('deliveries').description('events on their way to webhook endpoints');
  deliveries
    .command('list')
    .description('the newest first, as the read model has them')
    .option('--account <id>', 'of this account', idOf('account'))
    .option('--webhook <id>', 'to this endpoint', idOf('webhook'))
    .addOption(new Option('--status <status>', 'in this state only').choices(deliveryStatuses))
    .option('--limit <deliveries>', 'at most this many', count, 50)
    .operates('array', list);
  deliveries
    .command('requeue')
    .description('give dead letters another round of attempts; exit status 1 when one was refused')
    .argument('[deliveries...]', 'dlv_<uuid> …', idList, [])
    .option('--webhook <id>', 'with --dead: every dead letter of this endpoint', idOf('webhook'))
    .option('--dead', 'with --webhook')
    .option('--since <time>', 'with --dead: only those that died at or after this, in ISO 8601', time)
    .answers('object', requeue);
  deliveries
    .command('stuck')
    .description('what is open and more than a minute late, and the endpoints that fail or wait most')
    .option('--limit <rows>', 'at most this many of each', count, 20)
    .operates('object', stuck);
}

const idList = (text: string, before: readonly WebhookDeliveryId[]): readonly WebhookDeliveryId[] => [
  ...before,
  idOf('webhookDelivery')(text),
];

async function list({ pool }: Operator, filter: DeliveryFilter): Promise<Answer> {
  const value = await listDeliveries(pool, filter);
  const lines = headedTable(value, {
    delivery: 'id',
    endpoint: 'endpoint_id',
    event: 'event_type',
    status: 'status',
    attempts: 'attempt_count',
    last: ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.response_status,
    'next attempt': 'next_attempt_at',
    created: 'created_at',
  });
  return { value, lines };
}

interface Requeueing {
  readonly webhook?: WebhookId;
  readonly dead?: boolean;
  readonly since?: string;
}

function requeue(ids: readonly WebhookDeliveryId[], options: Requeueing): Promise<Answer> {
  const { webhook, dead = false, since } = options;
  const isOfOneEndpoint = webhook !== undefined && dead && ids.length === 0;
  const isOfIds = webhook === undefined && !dead && since === undefined && ids.length > 0;
  if (!isOfOneEndpoint && !isOfIds)
    throw new Error('Name deliveries, or --webhook and --dead with or without --since.');
  return asOperator(async (operator) => {
    if (webhook === undefined) return tally(await requeueAll(operator, ids));
    await assertActive(operator.runner, webhook);
    return tally(await requeueAll(operator, await deadLettersOf(operator.pool, webhook, since)));
  });
}

/** Deliveries accepted without an event had a pending attempt already. */
function tally(outcomes: readonly (Requeued | Refused)[]): Answer {
  const refused = outcomes.filter((outcome) => 'reason' in outcome);
  const requeued = outcomes.filter((outcome) => 'accountId' in outcome && outcome.position).length;
  const waiting = outcomes.length - refused.length - requeued;
  const lines = [
    `${requeued} requeued${waiting > 0 ? `, ${waiting} wait for an attempt already` : ''}`,
    ...refused.map(({ delivery_id, reason }) => `${delivery_id} was refused: ${reason}`),
  ];
  return { value: { requeued, waiting, refused }, lines, failed: refused.length > 0 };
}

const AT_ONCE = 32;

interface Refused {
  readonly delivery_id: WebhookDeliveryId;
  readonly reason: string;
}

/** Each is decided on its own stream; a refused one does not block the others. */
async function requeueAll(
  operator: Operator,
  ids: readonly WebhookDeliveryId[],
): Promise<(Requeued | Refused)[]> {
  const outcomes: (Requeued | Refused)[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const chunk = await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => requeueOne(operator, id)));
    outcomes.push(...chunk);
  }
  return outcomes;
}

async function requeueOne(operator: Operator, id: WebhookDeliveryId): Promise<Requeued | Refused> {
  const { runner, context } = operator;
  try {
    const outcome = await requeueDelivery({ runner, clock }, id, context);
    await operator.awaitInReads(outcome.accountId, outcome.position);
    return outcome;
  } catch (error) {
    if (error instanceof Refusal) return { delivery_id: id, reason: error.message };
    throw error;
  }
}

async function stuck({ pool, vault }: Operator, { limit }: { readonly limit: number }): Promise<Answer> {
  const [{ open, overdue, oldestDueSeconds }, deliveries, late, failing] = await Promise.all([
    waitingDeliveries(pool),
    overdueDeliveries(pool, limit),
    latestEndpoints(pool, limit),
    failingEndpoints(pool, limit).then((rows) => openRows(vault, rows)),
  ]);
  const oldest = Math.round(oldestDueSeconds);
  return {
    value: { open, overdue, oldest_due_seconds: oldestDueSeconds, deliveries, late, failing },
    lines: [
      `${open} wait for an attempt, ${overdue} of them more than a minute late; the oldest was due ${oldest} s ago`,
      ...section(deliveries, {
        delivery: 'id',
        endpoint: 'endpoint_id',
        event: 'event_type',
        attempts: 'attempt_count',
        due: 'next_attempt_at',
      }),
      ...section(late, {
        endpoint: 'id',
        due: 'deliveries',
        'late by': ({ seconds }) => `${Math.round(seconds)} s`,
      }),
      ...section(failing, {
        endpoint: 'id',
        account: 'account_id',
        'failures in a row': 'consecutive_failures',
        address: 'url',
      }),
    ],
  };
}
