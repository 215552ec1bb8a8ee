import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { toId, uuidOf, type WebhookId, type WebhookReplayId } from '../../contracts/ids.ts';
import { problems } from '../../contracts/problems.ts';
import { webhookReplay } from '../../domain/webhook-replay.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { migrate } from '../../infra/postgres/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { projectionMigrations, startProjector, type Projector } from '../../projections/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('a replay of a range', () => {
  let side: WriteSide;
  let projector: Projector;
  before(async () => {
    side = await startWriteSide();
    const { store, pool } = side;
    await migrate(pool, projectionMigrations);
    projector = startProjector({ store, pool, logger: pino({ level: 'silent' }), clock: systemClock });
  });
  after(async () => {
    await projector.close();
    await side.close();
  });

  const range = { since: '2026-01-01T00:00:00Z' };
  const registered = async (token: string): Promise<WebhookId> => {
    const body = { url: 'https://receiver.example/hooks', events: ['session.completed'] };
    return (await side.call('POST /v1/webhooks', { token, body })).json.id as WebhookId;
  };
  const begin = (token: string, id: string, body: object = range) =>
    side.call(`POST /v1/webhooks/${id}/replay`, { token, body });

  /** Completes a replay, as its last step does. */
  const complete = (id: WebhookId, replayId: WebhookReplayId) =>
    side.staff.runner.run(
      webhookReplay,
      uuidOf(id),
      { type: 'AdvanceReplay', replayId, from: null, upTo: null, scheduled: 0, at: new Date().toISOString() },
      side.staff.context(),
    );

  it('is the only one to its endpoint: of concurrent requests the others are refused, with what to do', async () => {
    const { token } = await side.staff.account('team');
    const [id, another] = [await registered(token), await registered(token)];
    const asked = await Promise.all([1, 2, 3, 4].map(() => begin(token, id)));
    const begun = asked.filter(({ status }) => status === 202);
    expect(begun).to.have.length(1);
    const replayId = begun[0]?.json.id as WebhookReplayId;
    for (const answer of asked.filter((each) => each !== begun[0])) {
      expect([answer.status, slug(answer)]).to.deep.equal([409, 'conflict']);
      expect(answer.json.active_replay_id).to.equal(replayId);
      expect(answer.json.detail).to.contain(`DELETE /v1/webhooks/${id}/replays/${replayId}`);
    }
    expect((await begin(token, another)).status).to.equal(202);
    await complete(id, replayId);
    expect((await begin(token, id)).status).to.equal(202);
  });

  it('is over when it is cancelled, which can be said again, but not of one that came to its end', async () => {
    const [{ token }, other] = [await side.staff.account('team'), await side.staff.account('team')];
    const id = await registered(token);
    const begun = async () => (await begin(token, id)).json.id as WebhookReplayId;
    const cancel = (replay: string, by = token) =>
      side.call(`DELETE /v1/webhooks/${id}/replays/${replay}`, { token: by });
    const first = await begun();
    const missing = [
      await cancel(first, other.token),
      await cancel('nonsense'),
      await cancel(toId('webhookReplay', randomUUID())),
    ];
    for (const answer of missing)
      expect([answer.status, answer.json.detail]).to.deep.equal([404, problems['not-found'].detail]);
    for (let times = 0; times < 2; times += 1) {
      const { status, text } = await cancel(first);
      expect([status, text]).to.deep.equal([204, '']);
    }
    const events = await side.events(`webhook_replay-${uuidOf(id)}`);
    expect(events.map(({ type }) => type)).to.deep.equal(['ReplayRequested', 'ReplayAbandoned']);
    const second = await begun();
    await complete(id, second);
    for (const over of [first, second]) {
      const answer = await cancel(over);
      expect([answer.status, slug(answer)]).to.deep.equal([409, 'conflict']);
      expect(answer.json.detail).to.contain('has ended');
    }
  });

  it('counts, as a dry run, what would be sent, also from before the endpoint was there, and sends nothing', async () => {
    const [{ token }, other] = [await side.staff.account('team'), await side.staff.account('team')];
    const since = new Date().toISOString();
    for (const each of [token, token, other.token]) {
      const { json } = await side.call('POST /v1/sessions', { token: each, body: {} });
      await side.call(`DELETE /v1/sessions/${String(json.id)}`, { token: each });
    }
    const id = await registered(token);
    const forecast = async (range: object) =>
      (await begin(token, id, { since, ...range, dry_run: true })).json;
    const counted = await until(async () => {
      const found = await forecast({});
      return found.matching === 2 && found;
    });
    const { dry_run, first_at, last_at } = counted;
    expect(dry_run).to.equal(true);
    expect([since, first_at, last_at].toSorted()).to.deep.equal([since, first_at, last_at]);
    await begin(token, id);
    const head = await side.store.head();
    expect(await forecast({}), 'while a replay runs').to.deep.equal(counted);
    expect(await forecast({ types: ['session.failed'] })).to.deep.include({ matching: 0, first_at: null });
    expect(await forecast({ until: last_at })).to.deep.include({ matching: 1, first_at, last_at: first_at });
    expect(await forecast({ since: last_at })).to.deep.include({ matching: 1, first_at: last_at });
    expect(await side.store.head()).to.deep.equal(head);
  });
});
