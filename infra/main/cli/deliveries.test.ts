import { expect } from 'chai';
import type { WebhookDeliveryEvent } from '../../../contracts/events/webhook-delivery.ts';
import type { WebhookEndpointEvent } from '../../../contracts/events/webhook-endpoint.ts';
import type { WebhookDeliveryId, WebhookId } from '../../../contracts/ids.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import {
  aDelivery,
  aWebhook,
  deliveryEvents,
  deliveryStream,
  endpointEvents,
  webhookStream,
} from '../../../projections/testing/webhooks.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

type Output = Readonly<Record<string, unknown>>;

const accountId = anAccount();
const on = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

describe('the operator’s commands on deliveries', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let environment: Readonly<Record<string, string | undefined>>;
  const active = aWebhook();
  const disabled = aWebhook();
  const [first, second, waiting, delivered, unreachable] = Array.from({ length: 5 }, aDelivery) as [
    WebhookDeliveryId,
    WebhookDeliveryId,
    WebhookDeliveryId,
    WebhookDeliveryId,
    WebhookDeliveryId,
  ];

  const endpoint = (webhookId: WebhookId, ...more: WebhookEndpointEvent[]) =>
    side.append(
      webhookStream(webhookId),
      [WebhookRegistered({ webhookId, accountId, at: on(1) }), ...more],
      by(accountId),
    );
  const delivery = (deliveryId: WebhookDeliveryId, webhookId: WebhookId, ...more: WebhookDeliveryEvent[]) =>
    side.append(deliveryStream(deliveryId), [scheduled(deliveryId, webhookId), ...more], by(accountId));
  const service = async (...args: string[]) => {
    const { status, stdout, stderr } = await runService(['deliveries', ...args], environment);
    return { status, stderr, output: JSON.parse(stdout || '{}') as Output };
  };
  const lastEventOf = async (id: WebhookDeliveryId): Promise<RecordedEvent | undefined> => {
    let last: RecordedEvent | undefined;
    for await (const event of side.store.readStream(deliveryStream(id))) last = event;
    return last;
  };

  before(async () => {
    side = await startReadSide();
    side.project();
    environment = operatorOf(side);
    await endpoint(active, failed(active, first));
    await endpoint(disabled, {
      type: 'WebhookDisabled',
      data: { webhookId: disabled, accountId, consecutive: 50, at: on(4) },
    });
    await delivery(first, active, dead(first, active, on(2)));
    await delivery(second, active, dead(second, active, on(3)));
    await delivery(waiting, active);
    await delivery(delivered, active, succeeded(delivered, active));
    await delivery(unreachable, disabled, dead(unreachable, disabled, on(3)));
    await side.caughtUp();
  });
  after(() => side.close());

  it('list deliveries from the read model, and show which are stuck and where', async () => {
    const [list, stuck] = await Promise.all([
      service('list', '--webhook', active, '--status', 'dead_letter', '--json'),
      service('stuck', '--json'),
    ]);
    expect(list.output).to.have.length(2);
    expect(Object.values(list.output).map((row) => (row as Output).id)).to.have.members([first, second]);
    expect(stuck.output).to.include({ open: 1, overdue: 1 });
    const ids = (rows: unknown) => (rows as Output[]).map(({ id }) => id);
    expect(ids(stuck.output.deliveries)).to.deep.equal([waiting]);
    expect(ids(stuck.output.late)).to.deep.equal([active]);
    expect(stuck.output.failing).to.deep.include.members([
      { id: active, account_id: accountId, url: 'https://receiver.example/hooks', consecutive_failures: 3 },
    ]);
  });

  it('requeue the dead letters of an endpoint since a time, as staff, on their streams', async () => {
    const args = ['--webhook', active, '--dead', '--since', '2026-01-02T12:00:00Z', '--json'];
    const { status, output } = await service('requeue', ...args);
    expect([status, output]).to.deep.equal([0, { requeued: 1, waiting: 0, refused: [] }]);
    const event = await lastEventOf(second);
    expect(event?.type).to.equal('DeliveryRequeued');
    expect(event?.metadata).to.deep.include({ actor: { kind: 'staff', account_id: accountId } });
    expect((await lastEventOf(first))?.type).to.equal('DeliveryDeadLettered');
  });

  it('requeue deliveries by their ids, and report which were refused', async () => {
    const { status, output } = await service('requeue', first, waiting, delivered, unreachable, '--json');
    expect(status).to.equal(1);
    expect(output).to.deep.equal({
      requeued: 1,
      waiting: 1,
      refused: [
        {
          delivery_id: delivered,
          reason: 'The delivery is delivered: replay it to send its event again.',
        },
        { delivery_id: unreachable, reason: 'The endpoint of the delivery is disabled.' },
      ],
    });
    expect((await lastEventOf(first))?.type).to.equal('DeliveryRequeued');
    expect((await lastEventOf(unreachable))?.type).to.equal('DeliveryDeadLettered');
  });

  it('requeue nothing without a selection, and nothing for an endpoint that no longer receives deliveries', async () => {
    const [half, wrong, gone] = await Promise.all([
      service('requeue', '--dead'),
      service('requeue', 'dlv_1'),
      service('requeue', '--webhook', disabled, '--dead'),
    ]);
    expect([half.status, wrong.status, gone.status]).to.deep.equal([1, 1, 1]);
    expect(gone.stderr).to.equal('conflict: The endpoint of the delivery is disabled.\n');
    expect(half.stderr).to.equal(
      'Give the ids of deliveries, or --webhook and --dead, optionally with --since.\n',
    );
    expect(wrong.stderr).to.contain('dlv_<uuid>');
  });
});

const { DeliveryScheduled, DeliverySucceeded, DeliveryDeadLettered } = deliveryEvents;
const { WebhookRegistered, WebhookFailureCounted } = endpointEvents;

const failed = (webhookId: WebhookId, deliveryId: WebhookDeliveryId) =>
  WebhookFailureCounted({ webhookId, accountId, deliveryId, consecutive: 3, at: on(2) });
const scheduled = (deliveryId: WebhookDeliveryId, webhookId: WebhookId) =>
  DeliveryScheduled({ deliveryId, webhookId, accountId, dueAt: on(1), at: on(1) });
const dead = (deliveryId: WebhookDeliveryId, webhookId: WebhookId, at: string) =>
  DeliveryDeadLettered({ deliveryId, webhookId, accountId, at });
const succeeded = (deliveryId: WebhookDeliveryId, webhookId: WebhookId) =>
  DeliverySucceeded({ deliveryId, webhookId, accountId, startedAt: on(1), at: on(1) });
