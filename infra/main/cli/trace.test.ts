import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RequestTree } from '../../../contracts/resources/request.ts';
import {
  aSession,
  anAccount,
  metadataBy,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../../../projections/testing/index.ts';
import {
  aDelivery,
  aWebhook,
  deliveryEvents,
  deliveryStream,
} from '../../../projections/testing/webhooks.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('service trace', () => {
  let side: ReadSide;
  const [account, session, delivery, request] = [anAccount(), aSession(), aDelivery(), `req_${randomUUID()}`];
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];

  before(async () => {
    side = await startReadSide();
    side.project();
    const caused = (cause: string, by: string) => ({
      ...metadataBy(account),
      ...{ correlation_id: request, causation_id: cause, by },
    });
    await side.store.append(sessionStream(session), 'no_stream', [
      { id: first, ...requested(session, account), metadata: caused(request, 'request:sessions.create') },
      { id: second, ...ready(session), metadata: caused(first, 'reaction:ready') },
    ]);
    const at = '2026-01-03T00:00:00.000Z';
    const scheduled = deliveryEvents.DeliveryScheduled({
      ...{ deliveryId: delivery, accountId: account, webhookId: aWebhook(), eventId: randomUUID() },
      ...{ eventType: 'session.completed', trigger: 'event', body: '{}', dueAt: at, at },
    });
    await side.store.append(deliveryStream(delivery), 'no_stream', [
      { id: third, ...scheduled, metadata: caused(second, 'reaction:webhooks') },
    ]);
    await side.caughtUp();
  });
  after(() => side.close());

  const trace = (...args: string[]) => runService(['trace', ...args], operatorOf(side));

  it('leads from a request, an event or a delivery to everything with the same root', async () => {
    for (const id of [request, second, delivery]) {
      const { status, stdout } = await trace(id, '--json');
      expect(status, id).to.equal(0);
      const { request: facts, events, deliveries } = JSON.parse(stdout) as RequestTree;
      expect(facts).to.include({ id: request, method: 'POST', path: '/v1/sessions' });
      expect(events.map((event) => [event.id, event.cause])).to.deep.equal([
        [first, null],
        [second, first],
        [third, second],
      ]);
      expect(deliveries.map((each) => each.id)).to.deep.equal([delivery]);
    }
    const { stdout } = await trace(delivery);
    expect(stdout).to.match(/^ {4}DeliveryScheduled .*reaction webhooks .*◄$/m);
  });

  it('reports an unknown id, and an invalid one', async () => {
    for (const id of [randomUUID(), `dlv_${randomUUID()}`, `req_${randomUUID()}`, 'a b']) {
      const { status, stderr } = await trace(id);
      expect(status, id).to.equal(1);
      expect(stderr, id).to.match(/is unknown, or is no longer kept|Expected the id of/);
    }
  });
});
