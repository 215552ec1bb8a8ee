import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { problems } from '../../contracts/problems.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { envelopeIdOf } from '../../contracts/webhooks/envelope.ts';
import { deliveryIdOf } from '../../domain/webhook-event/webhook-event.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('what is sent to a webhook on request', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock });
  });
  after(() => side.close());

  const registered = async (token: string): Promise<WebhookId> => {
    const body = { url: 'https://receiver.example/hooks', events: ['session.completed'] };
    const { json } = await side.call('POST /v1/webhooks', { token, body });
    return String(json.id) as WebhookId;
  };
  const test = (token: string, id: string) => side.call(`POST /v1/webhooks/${id}/test`, { token });
  const replayRange = (token: string, id: string, body: object) =>
    side.call(`POST /v1/webhooks/${id}/replay`, { token, body });
  const replay = (token: string, id: string) =>
    side.call(`POST /v1/webhook-deliveries/${id}/replay`, { token });
  const now = () => clock.now().toISOString();
  const context = () => side.staff.context();

  /** Disables an endpoint, as its last permitted failure does. */
  const disable = (id: WebhookId) =>
    side.staff.runner.run(
      webhookEndpoint,
      uuidOf(id),
      {
        type: 'CountOutcomes',
        outcomes: [
          { deliveryId: toId('webhookDelivery', randomUUID()), attempt: 1, succeeded: false, position: 1n },
        ],
        isIncomplete: false,
        disableAfter: 1,
        at: now(),
      },
      context(),
    );

  const settle = (id: WebhookDeliveryId, backoffMs: readonly number[], responseStatus: number) =>
    side.staff.runner.run(
      webhookDelivery,
      uuidOf(id),
      {
        type: 'RecordAttempt',
        attempt: 1,
        result:
          responseStatus < 300
            ? { outcome: 'succeeded', responseStatus }
            : { outcome: 'failed', responseStatus, error: null },
        timings: { resolveMs: 1, connectMs: 1, firstByteMs: 1, totalMs: 3 },
        startedAt: now(),
        backoffMs,
        jitter: 0,
        at: now(),
      },
      context(),
    );

  it('is a ping under ids that are known before the ping is made', async () => {
    const { token, accountId } = await side.staff.account('team');
    const id = await registered(token);
    const { status, json } = await test(token, id);
    expect(status).to.equal(202);
    const requested = (await side.events(`webhook_endpoint-${uuidOf(id)}`)).at(-1);
    expect(requested?.type).to.equal('WebhookTestRequested');
    const { testId, triggeredBy } = requested?.data as { testId: string; triggeredBy: string };
    expect(triggeredBy).to.equal(accountId);
    expect(json.event_id).to.equal(envelopeIdOf(String(requested?.id)));
    expect(json.delivery_id).to.equal(deliveryIdOf(String(json.event_id), id, `test ${testId}`));
    expect((await test(token, id)).json.event_id).not.to.equal(json.event_id);
  });

  it('is a delivery that has ended, however it did: the same event and the same bytes', async () => {
    const { token, accountId } = await side.staff.account('team');
    const id = await registered(token);
    for (const [backoff, responseStatus] of [
      [[60_000], 200],
      [[], 500],
    ] as const) {
      const first = await side.staff.delivery(accountId, id);
      expect(slug(await replay(token, first)), 'pending').to.equal('conflict');
      await settle(first, backoff, responseStatus);
      const { status, json, text } = await replay(token, first);
      expect(status, text).to.equal(202);
      const [original] = await side.events(`webhook_delivery-${uuidOf(first)}`);
      const again = await side.events(`webhook_delivery-${String(json.delivery_id).slice(4)}`);
      const { eventId, body } = original?.data as { eventId: string; body: string };
      expect(json).to.deep.include({ replay_of: first, event_id: eventId, status: 'pending' });
      expect(again.map(({ data }) => data)).to.have.length(1);
      expect(again[0]?.data).to.deep.include({
        eventId,
        body,
        trigger: 'replay',
        replayOf: first,
        replayId: null,
      });
      expect((await replay(token, first)).json.delivery_id).not.to.equal(json.delivery_id);
    }
    const retrying = await side.staff.delivery(accountId, id);
    await settle(retrying, [60_000], 500);
    expect(slug(await replay(token, retrying)), 'retrying').to.equal('conflict');
  });

  it('is a range of the past, and what is none is refused by naming the field', async () => {
    const { token } = await side.staff.account('team');
    const id = await registered(token);
    const { status, json } = await replayRange(token, id, { since: '2026-01-01T01:00:00+01:00' });
    expect(status).to.equal(202);
    expect(json).to.deep.include({
      endpoint_id: id,
      status: 'running',
      since: '2026-01-01T00:00:00.000Z',
      until: now(),
      types: null,
      scheduled: 0,
      completed_at: null,
    });
    const [requested] = await side.events(`webhook_replay-${uuidOf(id)}`);
    expect(requested?.data).to.deep.include({ webhookId: id, until: now(), types: null });
    const later = new Date(clock.now().getTime() + 1).toISOString();
    const refusals: [object, string][] = [
      [{}, '/body/since'],
      [{ since: 'yesterday' }, '/body/since'],
      [{ since: '2016-12-31T23:59:60Z' }, '/body/since'],
      [{ since: now() }, '/body/since'],
      [{ since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }, '/body/since'],
      [{ since: '2026-01-01T00:00:00Z', until: later }, '/body/until'],
      [{ since: '2026-01-01T00:00:00Z', types: ['test.ping'] }, '/body/types'],
    ];
    for (const [body, path] of refusals) {
      const answer = await replayRange(token, id, body);
      expect([answer.status, slug(answer)], JSON.stringify(body)).to.deep.equal([400, 'validation-failed']);
      expect(answer.json.errors, JSON.stringify(body))
        .to.have.nested.property('[0].path')
        .that.contains(path);
    }
  });

  it('is nothing to one that is disabled, which may still be changed and deleted', async () => {
    const { token, accountId } = await side.staff.account('team');
    const id = await registered(token);
    const delivery = await side.staff.delivery(accountId, id);
    await settle(delivery, [], 500);
    await disable(id);
    const range = { since: '2026-01-01T00:00:00Z' };
    for (const answer of [
      await test(token, id),
      await replay(token, delivery),
      await replayRange(token, id, range),
      await replayRange(token, id, { ...range, dry_run: true }),
    ]) {
      expect([answer.status, slug(answer)]).to.deep.equal([409, 'conflict']);
      expect(answer.json.detail).to.contain('disabled');
    }
    expect(slug(await replayRange(token, id, { since: 'yesterday' }))).to.equal('validation-failed');
    const changed = await side.call(`PATCH /v1/webhooks/${id}`, {
      token,
      body: { events: ['session.failed'] },
    });
    expect(changed.json).to.deep.include({ consecutive_failures: 1, events: ['session.failed'] });
    expect(changed.json.disabled_at).not.to.equal(null);
    expect(slug(await side.call(`POST /v1/webhooks/${id}/rotate-secret`, { token }))).to.equal('conflict');
    expect((await side.call(`DELETE /v1/webhooks/${id}`, { token })).status).to.equal(204);
    expect((await replay(token, delivery)).status).to.equal(404);
  });

  it('is no delivery of another account', async () => {
    const [mine, theirs] = [await side.staff.account('team'), await side.staff.account('team')];
    const webhookId = await registered(theirs.token);
    const delivery = await side.staff.delivery(theirs.accountId, webhookId);
    await settle(delivery, [], 500);
    for (const id of [delivery, toId('webhookDelivery', randomUUID()), webhookId, 'nonsense']) {
      const answer = await replay(mine.token, id);
      expect([answer.status, answer.json.detail], id).to.deep.equal([404, problems['not-found'].detail]);
    }
  });
});
