import { expect } from 'chai';
import type pg from 'pg';
import { deliveryStatuses } from '../../contracts/resources/webhook-delivery.ts';
import { webhookEventTypes } from '../../contracts/webhooks/event-types.ts';
import { anAccount, at, startReadSide, type ReadSide } from '../testing/index.ts';
import { aWebhook } from '../testing/webhooks.ts';
import { deliveryList, filteredDeliveryList, type FilteredListParameters } from './webhook-delivery-lists.ts';

const deliveries = 20_000;
const limit = 51;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsLookedAt = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a list of deliveries among many', () => {
  let side: ReadSide;
  const [account, webhook] = [anAccount(), aWebhook()];
  before(async () => {
    side = await startReadSide();
    await fill(side.postgres.pool);
  });
  after(() => side.close());

  /** Deliveries of one endpoint: a hundredth are open, and all but a few have one type. */
  async function fill(pool: pg.Pool): Promise<void> {
    await pool.query(
      `insert into read_model.webhooks (id, account_id, url, events, consecutive_failures, created_at, updated_at,
         secret_created_at, commit_position, prepare_position)
       values ($1, $2, 'https://receiver.example', '[]', 0, $3, $3, $3, 0, 0)`,
      [webhook, account, at],
    );
    await pool.query(
      `insert into read_model.webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, status, trigger,
         attempt_count, created_at, updated_at, attempts, commit_position, prepare_position)
       select 'dlv_' || gen_random_uuid(), $1, $2, gen_random_uuid(),
         case when i % 5000 = 0 then 'session.failed' else 'session.completed' end,
         case when i % 100 = 0 then 'pending' else 'delivered' end, 'event', 1,
         $3::timestamptz + i * interval '1 second', $3, '[]', i, i
       from generate_series(1, $4::int) as i`,
      [account, webhook, at, deliveries],
    );
    await pool.query('analyze read_model.webhook_deliveries');
  }

  const later = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
  const everything: FilteredListParameters = {
    accountId: account,
    webhookId: webhook,
    since: '-infinity',
    beforeTime: 'infinity',
    beforeId: '',
    limit,
    statuses: [],
    types: [],
  };
  const pairs = (statuses: FilteredListParameters['statuses'], types: FilteredListParameters['types']) => ({
    statuses: statuses.flatMap((status) => types.map(() => status)),
    types: statuses.flatMap(() => [...types]),
  });

  /** The plan's nodes that read deliveries. */
  async function looksOf(mode: 'analyze' | 'generic_plan', text: string, values?: unknown[]) {
    const { rows } = await side.postgres.pool.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (${mode}, format json) ${text}`,
      values,
    );
    const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
    return nodes.filter((node) => node['Relation Name'] === 'webhook_deliveries');
  }

  const filters: readonly [string, Partial<FilteredListParameters>, number][] = [
    ['everything', {}, limit],
    ['a page in the middle', { beforeTime: later(deliveries / 2) }, limit],
    ['a stretch of time', { since: later(100), beforeTime: later(200) }, limit],
    ['a time before all', { beforeTime: at }, 0],
    ['a frequent status', pairs(['delivered'], webhookEventTypes), limit * webhookEventTypes.length],
    ['a rare status', pairs(['pending'], webhookEventTypes), limit * webhookEventTypes.length],
    ['a status that none has', pairs(['dead_letter'], webhookEventTypes), 0],
    ['a rare type', pairs(deliveryStatuses, ['session.failed']), limit],
    ['a type that none has', pairs(deliveryStatuses, ['test.ping']), 0],
    ['a status and a type that never meet', pairs(['delivered'], ['session.failed']), 0],
    [
      'both, from the middle',
      { ...pairs(['delivered'], ['session.completed']), beforeTime: later(deliveries / 2) },
      limit,
    ],
  ];
  for (const [what, filter, most] of filters) {
    it(`reads no more than its pages of an index: ${what}`, async () => {
      const parameters = { ...everything, ...filter };
      const { own, values } = 'statuses' in filter ? filteredDeliveryList : deliveryList;
      const looks = await looksOf('analyze', own.text, values(parameters));
      expect(new Set(looks.map((node) => node['Node Type']))).to.deep.equal(new Set(['Index Scan']));
      const rows = looks.map(rowsLookedAt).reduce((sum, each) => sum + each, 0);
      expect(rows).to.be.at.most(most);
    });
  }

  it('does so by a generic plan, for any values', async () => {
    for (const { own } of [deliveryList, filteredDeliveryList]) {
      const looks = await looksOf('generic_plan', own.text);
      expect(looks.map((node) => node['Node Type'])).to.deep.equal(['Index Scan']);
    }
  });
});
