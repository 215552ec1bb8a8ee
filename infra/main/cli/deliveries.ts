import { Option } from 'commander';
import { inBatches } from '../../../commands/engine/in-batches.ts';
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
import { listAnswer, section, type Answer } from './output.ts';
import { count, idOf, time } from './parse.ts';

/** `service deliveries …` */
export function deliveryCommands(program: ServiceCommand): void {
  const deliveries = program.command('deliveries').description('deliveries of events to webhook endpoints');
  deliveries
    .command('list')
    .description('list deliveries from the read model, newest first')
    .option('--account <id>', 'only those of this account', idOf('account'))
    .option('--webhook <id>', 'only those to this endpoint', idOf('webhook'))
    .addOption(new Option('--status <status>', 'only those in this state').choices(deliveryStatuses))
    .option('--limit <deliveries>', 'at most this many', count, 50)
    .operates('array', list);
  deliveries
    .command('requeue')
    .description('give dead letters another round of attempts; exit status 1 if one is refused')
    .argument('[deliveries...]', 'dlv_<uuid> …', idList, [])
    .option('--webhook <id>', 'with --dead: every dead letter of this endpoint', idOf('webhook'))
    .option('--dead', 'with --webhook: requeue the dead letters of the endpoint')
    .option(
      '--since <time>',
      'with --dead: only those that became dead letters at or after this time (ISO 8601)',
      time,
    )
    .answers('object', requeue);
  deliveries
    .command('stuck')
    .description(
      'list deliveries that are more than a minute late, and the endpoints with the longest delays and the most failures',
    )
    .option('--limit <rows>', 'at most this many of each', count, 20)
    .operates('object', stuck);
}

const idList = (text: string, before: readonly WebhookDeliveryId[]): readonly WebhookDeliveryId[] => [
  ...before,
  idOf('webhookDelivery')(text),
];

async function list({ pool }: Operator, filter: DeliveryFilter): Promise<Answer> {
  return listAnswer(await listDeliveries(pool, filter), 'There is no such delivery.', {
    delivery: 'id',
    endpoint: 'endpoint_id',
    event: 'event_type',
    status: 'status',
    attempts: 'attempt_count',
    last: ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.response_status,
    'next attempt': 'next_attempt_at',
    created: 'created_at',
  });
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
    throw new Error('Give the ids of deliveries, or --webhook and --dead, optionally with --since.');
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
    `${requeued} requeued${waiting > 0 ? `, ${waiting} already waiting for an attempt` : ''}`,
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
const requeueAll = (operator: Operator, ids: readonly WebhookDeliveryId[]): Promise<(Requeued | Refused)[]> =>
  inBatches(ids, AT_ONCE, (id) => requeueOne(operator, id));

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
