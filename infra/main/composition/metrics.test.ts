import { expect } from 'chai';
import type { WebhookId } from '../../../contracts/ids.ts';
import { anAccount, at, by, type ReadSide, startReadSide } from '../../../projections/testing/index.ts';
import {
  aDelivery,
  aWebhook,
  deliveryEvents,
  deliveryStream,
  endpointEvents,
  webhookStream,
} from '../../../projections/testing/webhooks.ts';
import { createMetrics, type Metrics } from '../../metrics/index.ts';
import { attemptMetrics, projectionGauges, unopenableSecretsMetric, backlogGauges } from './metrics.ts';

const accountId = anAccount();

describe('metrics of webhooks', () => {
  let side: ReadSide;
  let metrics: Metrics;
  beforeEach(() => {
    metrics = createMetrics('test');
  });
  const lines = async (name: string): Promise<string[]> =>
    (await metrics.page()).text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => line.slice(name.length).replace(/,?role="test",?/, ''));

  it('count attempts by error, as one of a closed set of values', async () => {
    const onAttempt = attemptMetrics(metrics);
    const failed = { outcome: 'failed', error: null, milliseconds: 20, sinceEventMs: null } as const;
    onAttempt({ ...failed, outcome: 'succeeded', responseStatus: 204, sinceEventMs: 40 });
    onAttempt({ ...failed, responseStatus: 503 });
    onAttempt({ ...failed, responseStatus: 500 });
    onAttempt({ ...failed, error: 'timeout', responseStatus: null });
    expect(await lines('service_webhook_attempts_total')).to.have.members([
      '{outcome="succeeded",error="none"} 1',
      '{outcome="failed",error="status_5xx"} 2',
      '{outcome="failed",error="timeout"} 1',
    ]);
    expect(await lines('service_webhook_attempt_duration_seconds_count')).to.have.members([
      '{outcome="succeeded"} 1',
      '{outcome="failed"} 3',
    ]);
    expect(await lines('service_webhook_first_attempt_wait_seconds_count')).to.deep.equal(['{} 1']);
  });

  it('count failed tries to open secrets', async () => {
    unopenableSecretsMetric(metrics)();
    expect(await lines('service_webhook_unopenable_secrets_total')).to.deep.equal(['{} 1']);
  });

  describe('of the log and the read models', () => {
    before(async () => {
      side = await startReadSide();
    });
    after(() => side.close());

    const failing = (webhookId: WebhookId, consecutive: number) =>
      side.append(
        webhookStream(webhookId),
        [
          endpointEvents.WebhookRegistered({ webhookId, accountId, at }),
          endpointEvents.WebhookFailureCounted({ webhookId, accountId, consecutive, at }),
        ],
        by(accountId),
      );

    it('of sent mails and of failed attempts begin at 0, so that an alert notices the first', async () => {
      projectionGauges(metrics, side.postgres.pool);
      expect(await lines('service_mails_total')).to.have.members([
        '{what="sent"} 0',
        '{what="attempt_failed"} 0',
      ]);
    });

    it('count events, and name only the worst endpoints', async () => {
      const { observer } = projectionGauges(metrics, side.postgres.pool);
      backlogGauges(metrics, side.postgres.pool);
      side.project({ observer });
      const webhooks = Array.from({ length: 25 }, aWebhook);
      for (const [index, webhook] of webhooks.entries()) await failing(webhook, index + 1);
      const late = webhooks[0] ?? aWebhook();
      const deliveryId = aDelivery();
      const scheduled = deliveryEvents.DeliveryScheduled({
        ...{ deliveryId, webhookId: late, accountId },
        ...{ dueAt: at, at },
      });
      await side.append(deliveryStream(deliveryId), [scheduled], by(accountId));
      await side.caughtUp();

      expect(await lines('service_webhook_deliveries_total')).to.deep.equal(['{what="scheduled"} 1']);
      expect(await lines('service_webhook_deliveries_waiting')).to.have.members([
        '{state="open"} 1',
        '{state="overdue"} 1',
      ]);
      const failures = await lines('service_webhook_endpoint_failures');
      expect(failures)
        .to.have.length(20)
        .and.to.include(`{webhook="${webhooks[24] ?? ''}"} 25`);
      const [lag = '', ...others] = await lines('service_webhook_endpoint_lag_seconds');
      expect(others).to.deep.equal([]);
      expect(lag).to.contain(late);
      const lateBySeconds = (Date.now() - Date.parse(at)) / 1000;
      expect(Number(lag.split(' ')[1])).to.be.closeTo(lateBySeconds, 60);
    });
  });
});
