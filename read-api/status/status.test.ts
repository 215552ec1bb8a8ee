import { expect } from 'chai';
import { dayMs } from '../../contracts/durations.ts';
import { statusComponentIds } from '../../contracts/status.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { startStatusApi, type StatusApi, type StatusStream } from './testing.ts';

describe('GET /v1/status', () => {
  let api: StatusApi;
  beforeEach(async () => {
    api = await startStatusApi();
  });
  afterEach(() => api.close());

  it('answers without a credential that all is operational while no failure is known', async () => {
    const { status, json } = await api.call('/v1/status');
    expect(status).to.equal(200);
    expect(json).to.have.all.keys(
      ...['status', 'components', 'incidents', 'scheduled_maintenances', 'updated_at'],
    );
    const { components } = await api.current();
    expect(components.map(({ id }) => id)).to.deep.equal(statusComponentIds);
    expect(new Set(components.map(({ status: each }) => each))).to.deep.equal(new Set(['operational']));
  });

  it('shows an incident that an operator opens, and its components', async () => {
    const { incidentId } = await api.openIncident();
    const { status, components, incidents } = await api.current();
    expect([status.indicator, incidents[0]?.id]).to.deep.equal(['minor', incidentId]);
    expect(components.find(({ id }) => id === 'webhooks')?.status).to.equal('degraded_performance');
  });

  it('answers the last known state with every store stopped, and says how old it is', async () => {
    await api.openIncident();
    await api.stopStore();
    api.advance(60_000);
    const { status, headers } = await api.call('/v1/status');
    expect([status, Number(headers.age) >= 59]).to.deep.equal([200, true]);
    const { status: shown, incidents, updated_at } = await api.current();
    expect([shown.indicator, incidents.length]).to.deep.equal(['minor', 1]);
    expect(shown.description).to.equal(`Minor problems, as last known at ${updated_at}`);
    for (const path of ['/v1/status/sla', '/v1/status/feed.atom'])
      expect((await api.call(path)).status).to.equal(200);
  });

  it('answers the last known state after a restart while the stores are stopped', async () => {
    const { incidentId } = await api.openIncident();
    await api.stopStore();
    await api.restart();
    expect((await api.current()).incidents[0]?.id).to.equal(incidentId);
  });

  it('is marked as stale until the log has been read, if no earlier process left its state', async () => {
    await api.openIncident();
    const release = api.hold();
    await api.restart({ forgets: true });
    const missing = await api.current();
    expect(missing.status.description).to.equal(
      `All systems operational, as last known at ${missing.updated_at}`,
    );
    // Reads of the log are answered: that alone does not make the state complete.
    api.advance(30_000);
    expect(Number((await api.call('/v1/status')).headers.age)).to.be.at.least(30);
    // Nothing was known at any recent time.
    expect(Date.parse(missing.updated_at)).to.equal(0);
    release();
    await until(async () => (await api.current()).incidents.length === 1);
  });

  it('goes on with the log after a restart', async () => {
    const { incidentId } = await api.openIncident();
    await api.restart();
    await api.update(incidentId, 'A disk is full.');
    await until(async () => (await api.current()).incidents[0]?.updates.length === 2);
  });
});

describe('GET /v1/status/stream', () => {
  let api: StatusApi;
  beforeEach(async () => {
    api = await startStatusApi();
  });
  afterEach(() => api.close());

  it('sends the state as it is, and the whole of it again at each change', async () => {
    const stream = await api.stream();
    expect(stream.type).to.equal('text/event-stream');
    await until(() => stream.events.length === 1);
    const { incidentId, eventId } = await api.openIncident();
    await api.update(incidentId, 'A disk is full.');
    await until(() => stream.events.length === 3);
    const [before, opened, updated] = stream.events;
    expect(before?.data.incidents).to.deep.equal([]);
    expect([opened?.id, opened?.data.incidents[0]?.updates.length]).to.deep.equal([eventId, 1]);
    expect(updated?.data.incidents[0]?.updates[0]?.message).to.equal('A disk is full.');
  });

  it('begins with the state as it is now, also when nothing newer is known of it', async () => {
    const { eventId } = await api.openIncident();
    await api.stopStore();
    api.advance(60_000);
    const { events } = await api.stream();
    await until(() => events.length === 1);
    const { status, updated_at } = await api.current();
    expect(status.description).to.equal(`Minor problems, as last known at ${updated_at}`);
    expect(events[0]).to.deep.include({ id: eventId });
    expect(events[0]?.data).to.deep.include({ status, updated_at });
  });

  it('sends a client that comes again what it missed, also after a restart', async () => {
    const { incidentId, eventId } = await api.openIncident();
    const missed = [await api.update(incidentId, 'One.'), await api.update(incidentId, 'Two.')];
    const idsAfter = async (id: string) => {
      const { events } = await api.stream({ 'last-event-id': id });
      await until(() => events.length === missed.length);
      return events.map((event) => event.id);
    };
    await until(async () => (await api.current()).incidents[0]?.updates.length === 3);
    expect(await idsAfter(eventId)).to.deep.equal(missed);
    await api.restart();
    expect(await idsAfter(eventId)).to.deep.equal(missed);
  });

  it('sends nothing to a client that has everything but what changes next', async () => {
    const { incidentId, eventId } = await api.openIncident();
    const { events } = await api.stream({ 'last-event-id': eventId });
    const next = await api.update(incidentId, 'A disk is full.');
    await until(() => events.length > 0);
    expect(events.map(({ id }) => id)).to.deep.equal([next]);
  });

  it('sends clients what they lack once the log has been read, if no earlier process left its state', async () => {
    const { incidentId, eventId } = await api.openIncident();
    const second = await api.update(incidentId, 'One.');
    const release = api.hold();
    await api.restart({ forgets: true });
    const [first, behind, current] = [
      await api.stream(),
      await api.stream({ 'last-event-id': eventId }),
      await api.stream({ 'last-event-id': second }),
    ];
    release();
    await until(() => first.events.length === 1 && behind.events.length === 1);
    const third = await api.update(incidentId, 'Two.');
    await until(() => [first, behind, current].every(({ events }) => events.at(-1)?.id === third));
    const idsOf = ({ events }: StatusStream) => events.map(({ id }) => id);
    expect([first, behind, current].map(idsOf)).to.deep.equal([[second, third], [second, third], [third]]);
    expect(first.events[0]?.data.incidents[0]?.updates.length).to.equal(2);
  });

  it('sends no change to a client that has it from another process', async () => {
    const { incidentId, eventId } = await api.openIncident();
    const release = api.hold();
    let second = '';
    await api.restart({ meanwhile: async () => void (second = await api.update(incidentId, 'One.')) });
    const [behind, current] = [
      await api.stream({ 'last-event-id': eventId }),
      await api.stream({ 'last-event-id': second }),
    ];
    release();
    await until(() => behind.events.length === 1);
    const third = await api.update(incidentId, 'Two.');
    await until(() => [behind, current].every(({ events }) => events.at(-1)?.id === third));
    expect(current.events.map(({ id }) => id)).to.deep.equal([third]);
    expect(behind.events.map(({ id }) => id)).to.deep.equal([second, third]);
  });

  it('sends a client with an id of a lost part of the log, as after a restore, what changes next', async () => {
    const { incidentId, eventId } = await api.openIncident();
    const { events } = await api.stream({ 'last-event-id': `${eventId}000` });
    const next = await api.update(incidentId, 'A disk is full.');
    await until(() => events.length > 0);
    expect(events.map(({ id }) => id)).to.deep.equal([next]);
  });

  it('sends clients the whole state once an older log has been read in place of the one of their ids', async () => {
    const { incidentId, eventId } = await api.openIncident();
    const restore = api.backUp();
    const lost = await api.update(incidentId, 'A disk is full.');
    await until(async () => (await api.current()).incidents[0]?.updates.length === 2);
    const release = api.hold();
    await api.restart({ meanwhile: restore });
    const { events } = await api.stream({ 'last-event-id': lost });
    release();
    await until(() => events.length > 0);
    expect(events.map(({ id, data }) => [id, data.incidents[0]?.updates.length])).to.deep.equal([
      [eventId, 1],
    ]);
  });

  it('sends the state to a client whose last event is none of this stream', async () => {
    const { eventId } = await api.openIncident();
    const { events } = await api.stream({ 'last-event-id': 'nonsense' });
    await until(() => events.length === 1);
    expect(events[0]?.id).to.equal(eventId);
  });

  it('shows that it is alive by heartbeats', async () => {
    const { comments } = await api.stream();
    await until(() => comments.some((text) => text.trim().startsWith('heartbeat')));
    expect(comments[0]?.trim()).to.equal('stream open');
  });

  it('are refused beyond what one address may have, until one of its own ends', async () => {
    const open = await Promise.all([api.stream(), api.stream(), api.stream()]);
    const refused = await api.call('/v1/status/stream');
    expect([refused.status, refused.json.type]).to.deep.equal([429, 'https://errors.example/rate-limited']);
    expect(refused.headers['retry-after']).to.equal('30');
    open[0].leave();
    await until(() => api.streams() === 2);
    await api.stream();
    expect(api.streams()).to.equal(3);
  });

  it('are refused beyond that from the other addresses of an IPv6 network too', async () => {
    const typeFor = async (address: string) => (await api.stream({ 'x-forwarded-for': address })).type;
    const types = await Promise.all([1, 2, 3].map((host) => typeFor(`2001:db8:1:2::${host}`)));
    expect(new Set(types)).to.deep.equal(new Set(['text/event-stream']));
    expect(await typeFor('2001:db8:1:2:a:b:c:d')).to.equal('application/problem+json');
    expect(await typeFor('2001:db8:1:3::1')).to.equal('text/event-stream');
  });

  it('cuts a client that does not read, and keeps the others', async () => {
    const [silent, reading] = [await api.stream(), await api.stream()];
    silent.pause();
    const { incidentId } = await api.openIncident('x'.repeat(200));
    for (let change = 0; api.streams() > 1; change += 1) await api.update(incidentId, 'y'.repeat(5_000));
    expect(reading.isOver()).to.equal(false);
  });
});

describe('GET /v1/status/sla and the feed', () => {
  let api: StatusApi;
  beforeEach(async () => {
    api = await startStatusApi();
  });
  afterEach(() => api.close());

  it('show the share of probes that succeeded, beside the target', async () => {
    await api.count(2000, 1);
    await until(async () => {
      const [month, quarter] = (await api.call('/v1/status/sla')).json.windows as Record<string, unknown>[];
      return month?.uptime_percent === 99.95 && quarter?.probes === 2000 && month.target_percent === 99.9;
    });
  });

  it('say who wrote the feed, and of an empty one until when it is known to be', async () => {
    await until(async () => Number((await api.call('/v1/status')).headers.age) < 10);
    const { text } = await api.call('/v1/status/feed.atom');
    expect(text).to.match(/<author>\s*<name>[^<]+<\/name>/);
    const [, updated = ''] = /<updated>([^<]+)<\/updated>/.exec(text) ?? [];
    expect(Date.parse(updated)).to.be.above(Date.now() - 60_000);
  });

  it('list incidents as Atom, whatever their titles', async () => {
    const { incidentId } = await api.openIncident('<b>&]]>');
    const { headers, text } = await api.call('/v1/status/feed.atom');
    expect(headers['content-type']).to.match(/^application\/atom\+xml/);
    expect(text).to.contain(`/v1/status#${incidentId}</id>`).and.to.contain('[&lt;b&gt;&amp;]]&gt;]');
  });

  it('list an incident in the feed for 90 days after it was resolved', async () => {
    const { incidentId } = await api.openIncident();
    const isListed = async () => (await api.call('/v1/status/feed.atom')).text.includes(incidentId);
    await api.resolve(incidentId, new Date().toISOString());
    expect(await isListed()).to.equal(true);
    api.advance(89 * dayMs);
    await until(async () => Number((await api.call('/v1/status')).headers.age) < 10);
    expect(await isListed()).to.equal(true);
    api.advance(dayMs);
    await until(async () => !(await isListed()));
  });

  it('list an open incident in the feed behind fifty newer ones', async () => {
    const open = await api.openIncident();
    for (let newer = 0; newer < 50; newer += 1) {
      const { incidentId } = await api.openIncident();
      await api.resolve(incidentId, new Date().toISOString());
    }
    const { text } = await api.call('/v1/status/feed.atom');
    expect(text).to.contain(`/v1/status#${open.incidentId}</id>`);
    expect(text.match(/<entry>/g)).to.have.length(50);
  });
});
