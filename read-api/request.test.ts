import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AccountId } from '../contracts/ids.ts';
import type { RequestTree } from '../contracts/resources/request.ts';
import { createServedRequests, type AnswerRecord, type ServedRequests } from '../infra/ephemeral/index.ts';
import { addDay, dayOf, keepDays } from '../infra/postgres/index.ts';
import { verifyProjection } from '../projections/index.ts';
import {
  aSession,
  at,
  destroyed,
  logger,
  metadataBy,
  ready,
  requested,
  sessionStream,
} from '../projections/testing/index.ts';
import { requestReads } from './request.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('what a request has led to', () => {
  let api: ReadApi;
  let served: ServedRequests;
  before(async () => {
    api = await startReadApi();
    const clock = { now: () => new Date() };
    served = createServedRequests({ pool: api.postgres.pool, clock, logger });
    api.project();
  });
  after(async () => {
    await served.close();
    await api.close();
  });

  const anId = () => `req_${randomUUID()}`;
  const ask = (id: string, token: string) => api.call(`GET /v1/requests/${id}`, { token });
  const treeOf = async (id: string, token: string) => (await ask(id, token)).json as unknown as RequestTree;
  const answer = (requestId: string, accountId: AccountId | null, changes: Partial<AnswerRecord> = {}) => {
    served.record({
      ...{
        requestId,
        accountId,
        routeId: 'sessions.create',
        method: 'POST',
        status: 201,
        milliseconds: 12.3,
      },
      ...changes,
    });
    return served.close();
  };
  /** A session created by the request, and a chain of events, each caused by the previous one; returns their ids. */
  const lead = async (request: string, account: AccountId, heldBy = account) => {
    const session = aSession();
    const events = [requested(session, account), ready(session), destroyed(session)];
    const ids = events.map(() => randomUUID());
    const toAppend = events.map((event, index) => ({
      ...{ ...event, id: ids[index] ?? '' },
      metadata: {
        ...metadataBy(index === 1 ? heldBy : account),
        ...{ correlation_id: request, causation_id: ids[index - 1] ?? request },
        by: index === 0 ? 'request:sessions.create' : 'reaction:session cleanup',
      },
    }));
    const { position } = await api.store.append(sessionStream(session), 'no_stream', toAppend);
    await api.caughtUp(position);
    return ids;
  };

  it('is its route and answer, its events, and the cause of each', async () => {
    const { account, key } = await api.addAccount();
    const id = anId();
    await answer(id, account);
    const ids = await lead(id, account);
    const { request, events, ...rest } = await treeOf(id, key.text);
    expect(request).to.include({ id, method: 'POST', path: '/v1/sessions', status: 201, duration_ms: 12 });
    expect(events.map(({ type, by, name, cause }) => [type, by, name, cause])).to.deep.equal([
      ['SessionRequested', 'request', 'sessions.create', null],
      ['SessionReady', 'reaction', 'session cleanup', ids[0]],
      ['SessionDestroyed', 'reaction', 'session cleanup', ids[1]],
    ]);
    expect(rest).to.deep.equal({ deliveries: [], mails: [], has_more: false });
  });

  it('is its facts alone when it changed nothing', async () => {
    const { account, key } = await api.addAccount();
    const id = anId();
    await answer(id, account, { routeId: 'sessions.get', method: 'GET', status: 404 });
    const { request, events } = await treeOf(id, key.text);
    expect(request).to.include({ method: 'GET', path: '/v1/sessions/{id}', status: 404 });
    expect(events).to.deep.equal([]);
  });

  it('names the route by the log alone when the answer is not recorded', async () => {
    const { account, key } = await api.addAccount();
    const id = anId();
    await lead(id, account);
    expect((await treeOf(id, key.text)).request).to.deep.equal({
      ...{ id, method: 'POST', path: '/v1/sessions', at },
      ...{ status: null, duration_ms: null },
    });
  });

  it('is not there for others, nor under an id that is unknown or no id', async () => {
    const [{ account }, { key }] = [await api.addAccount(), await api.addAccount()];
    const id = anId();
    await answer(id, account);
    await answer(id, null);
    await lead(id, account);
    for (const each of [id, anId(), 'short', 'x'.repeat(129), `${id}'--`, '%00%00%00%00%00%00%00%00'])
      expect(outcomeOf(await ask(each, key.text)), each).to.equal('not-found');
  });

  it('is distinguished by account if two have sent the same id, and causes go past events of others', async () => {
    const [one, other] = [await api.addAccount(), await api.addAccount()];
    const id = anId();
    await answer(id, one.account);
    await answer(id, other.account, { status: 409 });
    const ids = await lead(id, one.account, other.account);
    const [mine, theirs] = [await treeOf(id, one.key.text), await treeOf(id, other.key.text)];
    expect(mine.request.status).to.equal(201);
    expect(mine.events.map(({ id: event, cause }) => [event, cause])).to.deep.equal([
      [ids[0], null],
      [ids[2], ids[0]],
    ]);
    expect(theirs.request.status).to.equal(409);
    expect(theirs.events.map(({ id: event, cause }) => [event, cause])).to.deep.equal([[ids[1], null]]);
  });

  it('is the same when it is made again from the log', async () => {
    const { account } = await api.addAccount();
    await lead(anId(), account);
    const { pool } = api.postgres;
    const { live, matches } = await verifyProjection('causes', { store: api.store, pool });
    expect(matches).to.equal(true);
    expect(live.rows).to.be.at.least(3);
  });

  it('waits for what the account itself has written, and for nothing else', async () => {
    const { account, key } = await api.addAccount();
    const stream = sessionStream(aSession());
    await api.write(account, stream, [requested(aSession(), account)]);
    const { events } = await treeOf(metadataBy(account).correlation_id, key.text);
    expect(events.at(-1)).to.include({ type: 'SessionRequested', stream });
    let reads = 0;
    const { run } = requestReads(() => {
      reads += 1;
      return Promise.resolve({ rows: [], stale: false, freshness: { headers: {} } });
    })['requests.get'];
    const caller = { accountId: account } as Parameters<typeof run>[0]['caller'];
    const asked = { caller, params: { request_id: anId() } } as Parameters<typeof run>[0];
    expect((await run(asked).catch((error: unknown) => error)) instanceof Error).to.equal(true);
    expect(reads).to.equal(1);
  });

  it('is dropped by whole days, and what it made keeps its past and its history', async () => {
    const { pool } = api.postgres;
    const { account, key } = await api.addAccount();
    const id = anId();
    await answer(id, account);
    await lead(id, account);
    const [made, wasReady] = (await treeOf(id, key.text)).events;
    const path = `/v1/sessions/ses_${made?.stream.slice('session-'.length)}`;
    const today = dayOf(new Date());
    const tables = ['read_model.causes', 'ephemeral.requests'];
    await keepDays(pool, 2);
    for (const table of tables) {
      await addDay(pool, { table, day: today - 3 });
      await pool.query(`update ${table} set day = $1`, [today - 3]);
      await addDay(pool, { table, day: today - 1 });
    }
    expect((await ask(id, key.text)).status).to.equal(200);
    for (const table of tables) await addDay(pool, { table, day: today });
    expect(outcomeOf(await ask(id, key.text))).to.equal('not-found');
    const get = (rest: string) => api.call(`GET ${path}${rest}`, { token: key.text });
    const asOf = encodeURIComponent(wasReady?.position ?? '');
    expect((await get(`?as_of=${asOf}`)).json).to.include({ status: 'ready' });
    expect(dataOf(await get('/history'))).to.have.length(3);
  });
});
