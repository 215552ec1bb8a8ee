import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import type { WebhookEnvelope } from '../../contracts/webhooks/envelope.ts';
import { positionText } from '../../infra/event-store/client/position.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import {
  aSession,
  at,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
} from '../../projections/testing/index.ts';
import { createCursors } from '../engine/cursors.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from '../testing.ts';
import { isQuiet, openStream } from '../transcript/testing.ts';

const accept = { accept: 'text/event-stream' };

/** An account with a key, whose sessions make events. */
async function someone(api: ReadApi) {
  const { account, key } = await api.addAccount();
  const ended = async (): Promise<string> => {
    const id = aSession();
    const events = [requested(id, account), ready(id), destroyed(id)];
    await api.append(sessionStream(id), events, by(account));
    return id;
  };
  return {
    ...{ account, key, ended },
    page: (query = '') => api.call(`GET /v1/events${query}`, { token: key.text }),
    asked: (headers: Readonly<Record<string, string>>, query = '') =>
      api.call(`GET /v1/events${query}`, { token: key.text, headers: { ...accept, ...headers } }),
    listen: (headers: Readonly<Record<string, string>> = {}, query = '') =>
      openStream<WebhookEnvelope>(api.port, `/v1/events${query}`, {
        ...{ token: key.text, headers, kind: 'notification' },
      }),
  };
}

const sessionsIn = ({ entries }: { readonly entries: readonly WebhookEnvelope[] }) =>
  entries.map(({ data }) => (data as { readonly session_id: string }).session_id);

describe('a stream of the feed of an account', () => {
  let api: ReadApi;
  const cursorKey = randomBytes(32);
  before(async () => {
    api = await startReadApi({ heartbeatMs: 50, cursorKeys: [cursorKey] });
    api.project();
  });
  after(() => api.close());

  it('sends what the pages have, from the first event on, then what happens, and nothing of others', async () => {
    const [own, other] = [await someone(api), await someone(api)];
    const first = await own.ended();
    await other.ended();
    await api.caughtUp();
    const stream = await own.listen();
    await stream.received(1);
    const second = await own.ended();
    await stream.received(2);
    expect(sessionsIn(stream)).to.deep.equal([first, second]);
    expect(stream.headers).to.include({ 'content-type': 'text/event-stream' });
    const page = await own.page();
    expect(stream.entries).to.deep.equal(dataOf(page));
    expect(stream.ids.at(-1)).to.equal(page.json.next_cursor);
    await isQuiet(stream);
    expect(stream.text()).to.match(/^: stream open\n\nretry: \d{4}\n\n/);
    expect(stream.entries).to.have.length(2);
  });

  it('goes on after Last-Event-ID, or else after `after`, which may be the position of an answer', async () => {
    const own = await someone(api);
    for (let count = 0; count < 3; count += 1) await own.ended();
    await api.caughtUp();
    const whole = await own.listen();
    await whole.received(3);
    const [one = '', two = ''] = whole.ids;
    const position = String((await own.page()).headers['x-service-position']);
    const streams = [
      await own.listen({ 'Last-Event-ID': one }),
      await own.listen({ 'Last-Event-ID': two }, `?after=${one}`),
      await own.listen({}, `?after=${one}&limit=1`),
      await own.listen({}, `?after=${encodeURIComponent(position)}`),
    ];
    await own.ended();
    await whole.received(4);
    await Promise.all(streams.map((each, index) => each.received([3, 2, 3, 1][index] ?? 0)));
    await Promise.all(streams.map((each) => isQuiet(each)));
    expect(streams.map(({ ids }) => ids)).to.deep.equal(
      [1, 2, 1, 3].map((missed) => whole.ids.slice(missed)),
    );
    const rest = await own.page(`?after=${two}`);
    expect(dataOf(rest)).to.deep.equal(whole.entries.slice(2));
  });

  it('refuses a Last-Event-ID as it does a cursor: malformed, changed, or of another account', async () => {
    const [own, other] = [await someone(api), await someone(api)];
    const foreign = String((await other.page()).json.next_cursor);
    for (const id of ['x', '1/2/3', `${foreign.slice(0, -1)}_`, foreign]) {
      const [refused, page] = [
        await own.asked({ 'Last-Event-ID': id }),
        await own.page(`?after=${encodeURIComponent(id)}`),
      ];
      expect([refused.status, outcomeOf(refused)], id).to.deep.equal([400, 'bad-request']);
      expect(refused.headers['content-type']).to.equal('application/problem+json');
      expect(refused.json.detail).to.equal(page.json.detail);
    }
  });

  it('is refused, as a page is, behind a position or a cursor ahead of the log', async () => {
    const own = await someone(api);
    const open = api.feeds.count();
    const far = '999999999999';
    const cursor = createCursors([cursorKey]).encode('events.list', own.account, [far, far]);
    for (const id of [`${far}/${far}`, cursor]) {
      const query = `?after=${encodeURIComponent(id)}`;
      for (const answer of [
        await own.page(query),
        await own.asked({}, query),
        await own.asked({ 'Last-Event-ID': id }),
      ])
        expect([answer.status, outcomeOf(answer)], id).to.deep.equal([400, 'bad-request']);
    }
    expect(api.feeds.count()).to.be.at.most(open);
  });

  it('reads a long feed page by page', async () => {
    const own = await someone(api);
    const ids: string[] = [];
    for (let count = 0; count < 205; count += 1) ids.push(await own.ended());
    await api.caughtUp();
    const stream = await own.listen();
    await stream.received(205);
    expect(sessionsIn(stream)).to.deep.equal(ids);
  });

  it('is for those who may read the feed', async () => {
    const own = await someone(api);
    const { text } = await api.addKey(own.account, { scopes: ['write'] });
    const withoutScope = await api.call('GET /v1/events', { token: text, headers: accept });
    expect(outcomeOf(withoutScope)).to.equal('forbidden');
    const nobody = await api.call('GET /v1/events', { token: null, headers: accept });
    expect(nobody.status).to.equal(401);
  });

  it('is refused as the eleventh of an account, with the time to wait, and none is left after HEAD', async () => {
    const [own, other] = [await someone(api), await someone(api)];
    const before = api.feeds.count();
    for (let tries = 0; tries < 12; tries += 1) {
      const head = await api.call('HEAD /v1/events', { token: own.key.text, headers: accept });
      expect([head.status, head.headers['content-type']]).to.deep.equal([200, 'text/event-stream']);
    }
    await until(() => api.feeds.count() <= before);
    const streams = await Promise.all(Array.from({ length: 10 }, () => own.listen()));
    expect(streams.map(({ status }) => status)).to.deep.equal(streams.map(() => 200));
    const refused = await own.asked({});
    expect([refused.status, refused.headers['retry-after'], outcomeOf(refused)]).to.deep.equal([
      429,
      '30',
      'rate-limited',
    ]);
    expect([(await own.page()).status, (await other.listen()).status]).to.deep.equal([200, 200]);
    streams[3]?.leave();
    await until(async () => (await own.listen()).status === 200);
  });

  describe('an hour before its next heartbeat', () => {
    let api: ReadApi;
    let projector: ReturnType<ReadApi['project']>;
    before(async () => {
      api = await startReadApi({ heartbeatMs: 3_600_000 });
      projector = api.project();
    });
    after(() => api.close());

    it('sends events that the read model gets only after the stream was opened', async () => {
      const own = await someone(api);
      await api.caughtUp();
      await projector.close();
      const first = await own.ended();
      const early = await own.listen();
      await until(() => early.comments.length > 0);
      projector = api.project();
      await early.received(1);
      await projector.close();
      const second = await own.ended();
      const late = await own.listen({ 'Last-Event-ID': early.ids[0] ?? '' });
      await until(() => late.comments.length > 0);
      projector = api.project();
      await Promise.all([early.received(2), late.received(1)]);
      expect([sessionsIn(early), sessionsIn(late)]).to.deep.equal([[first, second], [second]]);
    });

    it('begins, as a page does, behind an event that the read model does not have yet', async () => {
      const own = await someone(api);
      await api.caughtUp();
      await projector.close();
      await own.ended();
      const head = await api.store.head();
      if (head === undefined) throw new Error('The log has events.');
      const after = `?after=${encodeURIComponent(positionText(head))}`;
      const [page, stream] = [await own.page(after), await own.listen({}, after)];
      expect([page.status, stream.status]).to.deep.equal([200, 200]);
      const next = await own.ended();
      projector = api.project();
      await stream.received(1);
      expect(sessionsIn(stream)).to.deep.equal([next]);
    });

    it('ends when its key is revoked, and no other does', async () => {
      const own = await someone(api);
      const [stream, another] = [await own.listen(), await (await someone(api)).listen()];
      await until(() => stream.comments.length + another.comments.length === 2);
      const data = { apiKeyId: own.key.id, accountId: own.account, name: 'a key', by: 'owner', at };
      await api.write(own.account, `api_key-${uuidOf(own.key.id)}`, [{ type: 'ApiKeyRevoked', data }]);
      expect(await stream.over()).to.equal('ended');
      expect(another.outcome()).to.equal('open');
    });

    it('ends when its account is suspended', async () => {
      const own = await someone(api);
      const stream = await own.listen();
      await until(() => stream.comments.length > 0);
      const data = { accountId: own.account, reason: 'abuse', at };
      await api.append(
        `account-${uuidOf(own.account)}`,
        [{ type: 'AccountSuspended', data }],
        by(own.account),
      );
      expect(await stream.over()).to.equal('ended');
    });
  });
});
