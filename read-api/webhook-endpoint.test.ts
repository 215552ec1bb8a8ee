import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, type WebhookId } from '../contracts/ids.ts';
import { aSession, at, destroyed, requested, sessionStream } from '../projections/testing/index.ts';
import {
  aDelivery,
  aReplay,
  aWebhook,
  deliveryEvents,
  endpointEvents,
  replayEvents,
  replayStream,
  webhookStream,
} from '../projections/testing/webhooks.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from './testing.ts';
import { newcomer, type Newcomer } from './testing/webhooks.ts';

const minute = (n: number) => new Date(Date.parse(at) + n * 60_000).toISOString();

describe('webhooks on the read side', () => {
  let api: ReadApi;
  let me: Newcomer;
  let other: Newcomer;
  before(async () => {
    api = await startReadApi();
    api.project();
    [me, other] = [await newcomer(api), await newcomer(api)];
  });
  after(() => api.close());

  /** All items of a list, page by page. */
  async function pagesOf(reader: Newcomer, path: string, limit = 2) {
    const all: Record<string, unknown>[] = [];
    let cursor = '';
    do {
      const answer = await reader.get(
        `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&cursor=${cursor}`,
      );
      expect(answer.status, answer.text).to.equal(200);
      all.push(...dataOf(answer));
      cursor = String(answer.json.next_cursor);
    } while (cursor !== '');
    return all;
  }

  it('lists endpoints newest first the moment after their write, without deleted ones and without secrets', async () => {
    const reader = await newcomer(api);
    const ids: WebhookId[] = [];
    for (let i = 0; i < 4; i += 1) {
      ids.unshift(await reader.register(minute(i)));
      expect(dataOf(await reader.get('webhooks')).map(({ id }) => id)).to.deep.equal(ids);
    }
    const [, gone = ids[0]] = ids;
    if (gone !== undefined) await reader.write(webhookStream(gone), endpointEvents.WebhookDeleted());
    const listed = await pagesOf(reader, 'webhooks');
    expect(listed.map(({ id }) => id)).to.deep.equal(ids.filter((id) => id !== gone));
    expect(JSON.stringify(listed)).to.not.contain('sealed');
  });

  it('does not distinguish an endpoint that is deleted, foreign or malformed from one that never existed', async () => {
    const [foreign, gone] = [await other.register(), await me.register()];
    await me.write(webhookStream(gone), endpointEvents.WebhookDeleted());
    await me.schedule(gone);
    for (const id of [foreign, gone, aWebhook(), 'whk_nothing', 'x']) {
      for (const path of [
        `webhooks/${id}`,
        `webhooks/${id}/deliveries`,
        `webhooks/${id}/replays/${aReplay()}`,
      ])
        expect((await me.get(path)).status, path).to.equal(404);
    }
  });

  it('shows an endpoint, and the secret before a rotation only while it signs', async () => {
    const id = await me.register();
    const rotated = endpointEvents.WebhookSecretRotated({ graceEndsAt: minute(1), at: minute(0) });
    await me.write(webhookStream(id), rotated, endpointEvents.WebhookFailureCounted({ consecutive: 3 }));
    const shown = await me.get(`webhooks/${id}`);
    expect(shown.json).to.include({ id, consecutive_failures: 3, disabled_at: null, secret_created_at: at });
    expect(shown.json.previous_secret_expires_at).to.equal(minute(1));
    expect(shown.headers).to.have.property('x-service-position');
    api.advance(60_000);
    expect((await me.get(`webhooks/${id}`)).json.previous_secret_expires_at).to.equal(null);
  });

  it('lists the deliveries of an endpoint newest first, with every attempt', async () => {
    const id = await me.register();
    expect((await me.get(`webhooks/${id}/deliveries`)).json).to.deep.equal({
      data: [],
      has_more: false,
      next_cursor: '',
    });
    const failed = deliveryEvents.DeliveryAttemptFailed({ responseStatus: null, error: 'timeout' });
    const first = await me.schedule(id, { at: minute(0) }, failed);
    const second = await me.schedule(id, { at: minute(1) }, deliveryEvents.DeliverySucceeded());
    await me.schedule(await me.register());
    const [newest, oldest] = await pagesOf(me, `webhooks/${id}/deliveries`, 1);
    expect(newest).to.include({ id: second, endpoint_id: id, status: 'delivered', attempt_count: 1 });
    expect(oldest).to.include({ id: first, status: 'retrying', delivered_at: null });
    const { timings, startedAt } = failed.data;
    expect(oldest?.attempts).to.deep.equal([
      {
        at: startedAt,
        response_status: null,
        error: 'timeout',
        duration_ms: timings.totalMs,
        timings: {
          resolve_ms: timings.resolveMs,
          connect_ms: timings.connectMs,
          first_byte_ms: timings.firstByteMs,
        },
      },
    ]);
  });

  it('shows a delivery with what each attempt sends, byte for byte and without a signature', async () => {
    const id = await me.register();
    const body = '{"id":"e",  "data":{"text":"ü\\u0000"}}';
    const made = await me.schedule(id, { body, eventType: 'session.failed' });
    const { json, status } = await me.get(`webhook-deliveries/${made}`);
    expect(status).to.equal(200);
    const { request, ...delivery } = json;
    expect(dataOf(await me.get(`webhooks/${id}/deliveries`))).to.deep.equal([delivery]);
    expect(request).to.deep.equal({
      method: 'POST',
      url: endpointEvents.WebhookRegistered().data.url,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Service-Signature', value: null },
        { name: 'X-Service-Event-Id', value: delivery.event_id },
        { name: 'X-Service-Event-Type', value: 'session.failed' },
        { name: 'User-Agent', value: 'Service-Webhooks/1' },
      ],
      body,
    });
    for (const other of [aDelivery(), 'dlv_nothing', id])
      expect((await me.get(`webhook-deliveries/${other}`)).status, other).to.equal(404);
    await me.write(webhookStream(id), endpointEvents.WebhookDeleted());
    expect((await me.get(`webhook-deliveries/${made}`)).status).to.equal(404);
  });

  it('filters deliveries by status, type and time, page by page', async () => {
    const id = await me.register();
    const made: { id: string; status: string; type: string; minute: number }[] = [];
    for (let i = 0; i < 12; i += 1) {
      const eventType = i % 2 === 0 ? 'session.completed' : 'session.failed';
      const [status, ...later] =
        i % 3 === 0 ? ['delivered', deliveryEvents.DeliverySucceeded()] : ['pending'];
      // Pairs have the same time, so that the id decides their order.
      const facts = { eventType, at: minute(i >> 1) } as const;
      const events = later.filter((each) => typeof each !== 'string');
      made.push({
        id: await me.schedule(id, facts, ...events),
        status: status,
        type: eventType,
        minute: i >> 1,
      });
    }
    const expectListed = async (query: string, wanted: (each: (typeof made)[number]) => boolean) => {
      const listed = await pagesOf(me, `webhooks/${id}/deliveries?${query}`);
      const newestFirst = made
        .filter(wanted)
        .sort((a, b) => b.minute - a.minute || (a.id < b.id ? 1 : -1))
        .map((each) => each.id);
      expect(
        listed.map((each) => each.id),
        query,
      ).to.deep.equal(newestFirst);
    };
    await expectListed('', () => true);
    await expectListed('status=delivered', ({ status }) => status === 'delivered');
    await expectListed('event_type=session.failed', ({ type }) => type === 'session.failed');
    await expectListed(
      'status=pending&event_type=session.completed',
      ({ status, type }) => status === 'pending' && type === 'session.completed',
    );
    await expectListed('status=dead_letter', () => false);
    await expectListed(
      `since=${minute(2)}&until=${minute(4)}`,
      (each) => each.minute >= 2 && each.minute < 4,
    );
    await expectListed(
      `status=pending&since=${minute(1)}&until=${minute(5)}`,
      (each) => each.status === 'pending' && each.minute >= 1 && each.minute < 5,
    );
  });

  it('refuses a cursor of deliveries with other filters, or for another endpoint', async () => {
    const [id, another] = [await me.register(), await me.register()];
    for (let i = 0; i < 2; i += 1) await me.schedule(id);
    const list = `webhooks/${id}/deliveries?limit=1`;
    const { json } = await me.get(`${list}&status=pending`);
    const cursor = `cursor=${String(json.next_cursor)}`;
    expect((await me.get(`${list}&status=pending&${cursor}`)).status).to.equal(200);
    const refused = [
      await me.get(`${list}&${cursor}`),
      await me.get(`${list}&status=delivered&${cursor}`),
      await me.get(`${list}&status=pending&since=${minute(0)}&${cursor}`),
      await me.get(`webhooks/${another}/deliveries?status=pending&${cursor}`),
      await me.get(`${list}&since=2026-13-99T99:99:99Z`),
      await me.get(`${list}&status=unheard-of`),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal(refused.map(() => 400));
  });

  it('finds the endpoint before it looks at what is asked of its deliveries', async () => {
    const id = await other.register();
    for (const each of [id, toId('webhook', randomUUID()), 'nonsense'])
      for (const query of ['limit=0', 'status=x', 'cursor=x', 'since=x', ''])
        expect((await me.get(`webhooks/${each}/deliveries?${query}`)).status, `${each} ${query}`).to.equal(
          404,
        );
  });

  it('shows how far a replay is, under its own endpoint alone', async () => {
    const [webhookId, another] = [await me.register(), await me.register()];
    const [before, replayId] = [aReplay(), aReplay()];
    const first = { webhookId, accountId: me.account, replayId: before };
    await me.write(
      replayStream(webhookId),
      replayEvents.ReplayRequested(first),
      replayEvents.ReplayAbandoned({ webhookId, replayId: before, reason: 'cancelled', scheduled: 7 }),
      replayEvents.ReplayRequested({ ...first, replayId, types: ['session.failed'] }),
      replayEvents.ReplayAdvanced({ webhookId, replayId }),
    );
    const path = (id: WebhookId, of = replayId) => `webhooks/${id}/replays/${of}`;
    const cancelled = await me.get(path(webhookId, before));
    expect(cancelled.json).to.include({ id: before, status: 'abandoned', scheduled: 7, completed_at: null });
    const { json } = await me.get(path(webhookId));
    expect(json).to.include({ id: replayId, endpoint_id: webhookId, status: 'running', scheduled: 100 });
    expect(json.types).to.deep.equal(['session.failed']);
    expect((await me.get(path(another))).status).to.equal(404);
    expect((await other.get(path(webhookId))).status).to.equal(404);
    expect((await me.get(`webhooks/${webhookId}/replays/x`)).status).to.equal(404);
  });

  describe('the feed of events', () => {
    /** Destroys sessions of the account, one by one. */
    const destroySessions = async (reader: Newcomer, count: number) => {
      const ids = Array.from({ length: count }, aSession);
      for (const id of ids)
        await reader.write(sessionStream(id), requested(id, reader.account), destroyed(id));
      return ids;
    };
    const sessionsIn = (items: readonly { data?: { session_id?: string } }[]) =>
      items.map(({ data }) => data?.session_id);

    it('begins with the oldest and goes on from where it ended, for ever', async () => {
      const reader = await newcomer(api);
      const empty = await reader.get('events');
      expect(empty.json).to.include({ has_more: false }).and.to.deep.include({ data: [] });
      expect(empty.json.next_cursor).to.not.equal('');

      const ids = await destroySessions(reader, 3);
      const first = await reader.get(`events?limit=2&after=${String(empty.json.next_cursor)}`);
      expect(sessionsIn(dataOf(first))).to.deep.equal(ids.slice(0, 2));
      expect(first.json.has_more).to.equal(true);
      const second = await reader.get(`events?limit=2&after=${String(first.json.next_cursor)}`);
      expect(sessionsIn(dataOf(second))).to.deep.equal(ids.slice(2));
      expect(second.json.has_more).to.equal(false);

      const place = String(second.json.next_cursor);
      const nothing = await reader.get(`events?after=${place}`);
      expect(nothing.json).to.deep.equal({ data: [], has_more: false, next_cursor: place });
      const later = await destroySessions(reader, 1);
      expect(sessionsIn(dataOf(await reader.get(`events?after=${place}`)))).to.deep.equal(later);
      expect(sessionsIn(dataOf(await reader.get('events')))).to.deep.equal([...ids, ...later]);
    });

    it('shows what deliveries carry, byte for byte', async () => {
      const reader = await newcomer(api);
      await destroySessions(reader, 1);
      const { text } = await reader.get('events');
      const [row] = await api.rows('select body from read_model.account_events where account_id = $1', [
        reader.account,
      ]);
      expect(text).to.contain(`{"data":[${String(row?.body)}],`);
    });

    it('refuses a cursor of another account, another list, or a made-up one', async () => {
      const cursor = String((await me.get('events')).json.next_cursor);
      const refused = [
        await other.get(`events?after=${cursor}`),
        await me.get(`webhooks?cursor=${cursor}`),
        await me.get('events?after=garbage'),
      ];
      expect(refused.map(outcomeOf)).to.deep.equal(refused.map(() => 'bad-request'));
    });
  });
});
