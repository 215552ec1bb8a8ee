import { expect } from 'chai';
import { until } from '../infra/verification/testbed/index.ts';
import { startWholeService, type WholeService } from '../infra/verification/security/whole-service.ts';
import { dataOf } from './testing.ts';
import { openStream } from './transcript/testing.ts';

describe('the feed of an account', () => {
  let service: WholeService;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.close());

  it('begins behind an answer by the position of that answer, and refuses what is neither position nor cursor', async () => {
    const { token } = await service.staff.account('team');
    const endOne = async () => {
      const { json } = await service.call('POST /v1/sessions', { token, body: {} });
      const ended = await service.call(`DELETE /v1/sessions/${String(json.id)}`, { token });
      await service.caughtUp();
      return { id: json.id, position: String(ended.headers['x-service-position']) };
    };
    const idsAfter = async (after: string) => {
      const page = await service.call(`GET /v1/events?after=${encodeURIComponent(after)}`, { token });
      const own = dataOf<{ data: { session_id: string } }>(page).map(({ data }) => data.session_id);
      return { ids: [...new Set(own)], next: String(page.json.next_cursor) };
    };
    const first = await endOne();
    expect(await idsAfter(first.position)).to.deep.include({ ids: [] });
    const second = await endOne();
    const { ids, next } = await idsAfter(first.position);
    expect(ids).to.deep.equal([second.id]);
    expect(await idsAfter(next)).to.deep.include({ ids: [] });
    for (const after of ['1/2/3', '1', '-1/-1', '1/x'])
      expect((await service.call(`GET /v1/events?after=${after}`, { token })).status, after).to.equal(400);
  });

  it('comes as a stream, too, as it happens', async () => {
    const { token } = await service.staff.account('team');
    const stream = await openStream(service.port, '/v1/events', { token, kind: 'notification' });
    const { json } = await service.call('POST /v1/sessions', { token, body: {} });
    await service.call(`DELETE /v1/sessions/${String(json.id)}`, { token });
    const whole = await until(async () => {
      const page = await service.call('GET /v1/events', { token });
      return page.text.includes('session.completed') ? page : undefined;
    });
    await stream.received(dataOf(whole).length);
    expect(stream.entries).to.deep.equal(dataOf(whole));
    expect(stream.ids.at(-1)).to.equal(whole.json.next_cursor);
  });
});
