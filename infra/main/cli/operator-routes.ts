import {
  listParkedReactions,
  retryParkedReactions,
} from '../../../commands/process-managers/engine/parked-reactions.ts';
import { requeueDelivery } from '../../../commands/webhook-delivery/requeue.ts';
import { parseId, type Id, type IdKind } from '../../../contracts/ids.ts';
import type { OperatorEvent, OperatorRow } from '../../../contracts/operator.ts';
import { refuse } from '../../../contracts/problems.ts';
import { listParked, projections, retryParked } from '../../../projections/index.ts';
import { listAccounts } from '../../../projections/queries/account.ts';
import { listMails } from '../../../projections/queries/mail.ts';
import {
  listDeliveries,
  overdueDeliveries,
  waitingDeliveries,
} from '../../../projections/queries/webhook-delivery.ts';
import { failingEndpoints } from '../../../projections/queries/webhook-endpoint.ts';
import { openRows } from '../../personal/text.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { factsOf } from './account-views.ts';
import { nodesOf } from './nodes.ts';
import type { Operator } from './operator.ts';
import { createRebuilds } from './rebuilds.ts';
import { treeWith } from './trace.ts';

/** A request: the path's parameter, decoded, and the query. */
export interface Asked {
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Returns the answer as JSON; throws a `Refusal`. */
export type OperatorRoute = (operator: Operator, asked: Asked) => Promise<unknown>;

/** Maximum rows of a list without pages. */
const MOST = 200;

/** The operator's commands for the pages. Rebuilds continue after their request is answered. */
export function operatorRoutes(): Readonly<Record<OperatorRow, OperatorRoute>> {
  const rebuilds = createRebuilds();
  return {
    nodes: async (operator) => ({ data: await nodesOf(operator) }),
    drain: changeNode('drain'),
    undrain: changeNode('undrain'),
    readModels: (operator) => rebuilds.status(operator),
    rebuild: (operator, { id: name }) => {
      if (!projections.some((each) => each.name === name)) throw refuse('not-found');
      return rebuilds.begin(operator, name);
    },
    parked: async ({ pool }) => ({
      data: (await listParked(pool)).map(({ eventId: event_id, eventType: event_type, ...parked }) => ({
        ...{ event_id, event_type, projection: parked.projection, row: parked.row },
        ...{ stream: parked.stream, attempts: parked.attempts, reason: parked.reason },
      })),
    }),
    retry: async ({ store, pool }) => {
      const { applied, stillParked } = await retryParked({ store, pool });
      return { applied, still_parked: stillParked };
    },
    reactions: async ({ pool }) => ({ data: await listParkedReactions(pool) }),
    retryReactions: ({ pool }) => retryParkedReactions(pool),
    stuck,
    requeue: async ({ runner, context, awaitInReads }, { id }) => {
      const deliveryId = idOf('webhookDelivery', id);
      const { accountId, position } = await requeueDelivery({ runner, clock }, deliveryId, context);
      await awaitInReads(accountId, position);
      return { delivery_id: deliveryId };
    },
    mails: async ({ pool }) => ({ data: await listMails(pool, { limit: MOST }) }),
    accounts: async ({ pool }) => ({ data: await listAccounts(pool, { limit: MOST }) }),
    account: async (operator, { id }) => (await factsOf(operator, idOf('account', id))) ?? nothing(),
    stream,
    trace: async (operator, { id }) => (await treeWith(operator, id)) ?? nothing(),
  };
}

function nothing(): never {
  throw refuse('not-found');
}

const idOf = <K extends IdKind>(kind: K, text: string): Id<K> => parseId(kind, text) ?? nothing();

const changeNode =
  (change: 'drain' | 'undrain'): OperatorRoute =>
  async ({ nodes, context }, { id }) => {
    const nodeId = idOf('node', id);
    await nodes[change](nodeId, context);
    return { node_id: nodeId };
  };

const stuck: OperatorRoute = async ({ pool, vault }) => {
  const [{ open, overdue, oldestDueSeconds }, late, dead, failing] = await Promise.all([
    waitingDeliveries(pool),
    overdueDeliveries(pool, MOST),
    listDeliveries(pool, { status: 'dead_letter', limit: MOST }),
    failingEndpoints(pool, MOST).then((rows) => openRows(vault, rows)),
  ]);
  return { open, overdue, oldest_due_seconds: oldestDueSeconds, late, dead, failing };
};

const PAGE = 100;

/** A page of a stream, newest first; the cursor is a revision, behind which older events follow. */
const stream: OperatorRoute = async ({ store }, { id: name, query }) => {
  const limit = numberIn(query, 'limit') ?? 50;
  const before = numberIn(query, 'cursor');
  if (limit < 1 || limit > PAGE || before === 0)
    throw refuse('bad-request', `limit must be from 1 to ${PAGE}, and cursor above 0.`);
  if (!/^[a-z_]+-./.test(name)) throw refuse('not-found');
  const from = before === undefined ? 'end' : BigInt(before) - 1n;
  const data: OperatorEvent[] = [];
  for await (const event of store.readStream(name, { direction: 'backwards', from, limit })) {
    const { id, type, revision, created, data: said, metadata } = event;
    data.push({ id, type, revision: String(revision), created: created.toISOString(), data: said, metadata });
  }
  if (data.length === 0) throw refuse('not-found', `There is no stream ${name}.`);
  const last = data.at(-1)?.revision;
  const hasMore = last !== '0';
  return { data, has_more: hasMore, next_cursor: hasMore ? last : '' };
};

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw refuse('bad-request', `${name} must be a whole number.`);
  return Number(text);
}
