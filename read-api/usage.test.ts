import { expect } from 'chai';
import { toId, uuidOf, type AccountId, type SessionId } from '../contracts/ids.ts';
import { usageMetrics, type UsageMetric } from '../contracts/resources/usage.ts';
import { Conversation } from '../projections/testing/agent-sessions.ts';
import { aSession, at, requested, sessionStream } from '../projections/testing/index.ts';
import { events, savedState } from '../domain/profile/testing.ts';
import { verifyProjection } from '../projections/index.ts';
import { outcomeOf, startReadApi, type ReadApi } from './testing.ts';

const minuteMs = 60_000;
/** A Friday shortly after three in the morning; the API's clock starts here. */
const start = Date.parse(at);
const minute = (n: number) => new Date(start + n * minuteMs).toISOString();

describe('usage', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
    api.advance(600 * minuteMs);
  });
  after(() => api.close());

  const begin = async (account: AccountId, n: number): Promise<SessionId> => {
    const id = aSession();
    await api.write(account, sessionStream(id), [requested(id, account, { at: minute(n) })]);
    return id;
  };
  const end = (account: AccountId, sessionId: SessionId, n: number) => {
    const data = { sessionId, cause: 'customer', durationMs: 5, at: minute(n) };
    return api.write(account, sessionStream(sessionId), [{ type: 'SessionDestroyed', data }]);
  };
  const series = async (token: string, query: string) => {
    const { json } = await api.call(`GET /v1/usage/series?${query}`, { token });
    return (json.points as { t: string; value: number }[]).map(({ t, value }) => [t.slice(0, 13), value]);
  };

  it('of an account that has done nothing is nothing', async () => {
    const { key } = await api.addAccount();
    const { status, json } = await api.call('GET /v1/usage', { token: key.text });
    expect([status, json]).to.deep.equal([
      200,
      {
        period_start: '2026-01-01T00:00:00.000Z',
        period_end: '2026-02-01T00:00:00.000Z',
        sessions: { count: 0, minutes: 0, concurrent_peak: 0 },
        agent: { turns: 0, input_tokens: 0, output_tokens: 0, cost_cents: 0 },
        storage: { profile_bytes: 0 },
        limits: { concurrent_sessions: 3, api_keys: 20, webhooks: 20, proxies: 50 },
      },
    ]);
  });

  it('counts sessions, their minutes and the most at once, the moment they are acknowledged', async () => {
    const { account, key } = await api.addAccount();
    const of = async (path: string) => (await api.call(`GET ${path}`, { token: key.text })).json.sessions;
    const [one, two] = [await begin(account, 0), await begin(account, 10)];
    await end(account, one, 20);
    const three = await begin(account, 30);
    await end(account, two, 130);
    await end(account, three, 130.5);
    const counted = { count: 3, minutes: 20 + 120 + 100.5, concurrent_peak: 2 };
    expect(await of('/v1/usage')).to.deep.equal(counted);
    expect(await of('/v1/account/usage')).to.deep.equal(counted);
  });

  it('shows what is stored of profiles now, and what was at the end of each hour', async () => {
    const [{ account, key }, other] = [await api.addAccount(), await api.addAccount()];
    const profileId = toId('profile', uuidOf(account));
    const stream = `profile-${uuidOf(account)}`;
    const of = { profileId, accountId: account };
    const saved = (bytes: number, n: number) => ({
      type: 'StateSaved',
      data: events.StateSaved({ ...of, state: savedState(1, bytes), at: minute(n) }).data,
    });
    await api.write(account, stream, [
      events.ProfileCreated({ ...of, at: minute(0) }),
      saved(900, 1),
      saved(1000, 2),
      saved(3000, 65),
    ]);
    const storage = async (token: string) => (await api.call('GET /v1/usage', { token })).json.storage;
    const query = `metric=storage.profile_bytes&bucket=hour&from=${minute(0)}&to=${minute(260)}`;
    expect(await storage(key.text)).to.deep.equal({ profile_bytes: 3000 });
    const given = { profileId, accountId: other.account, fromAccountId: account, bytes: 3000 };
    await api.write(other.account, stream, [
      { type: 'ProfileTransferred', data: { ...given, at: minute(130) } },
      events.ProfilePurged({ profileId, accountId: other.account, at: minute(190) }),
    ]);
    await api.write(account, `profile-${uuidOf(other.account)}`, [
      events.ProfileCreated({ ...of, profileId: toId('profile', uuidOf(other.account)), at: minute(191) }),
    ]);
    const values = async (token: string) => (await series(token, query)).map(([, value]) => value);
    expect(await values(key.text)).to.deep.equal([1000, 3000, 0, 0, 0]);
    expect(await values(other.key.text)).to.deep.equal([0, 0, 3000, 0, 0]);
    for (const { text } of [key, other.key]) expect(await storage(text)).to.deep.equal({ profile_bytes: 0 });
  });

  it('counts nothing of a profile after its purge, by a clock that was set back before that', async () => {
    const { account, key } = await api.addAccount();
    const of = { profileId: toId('profile', uuidOf(account)), accountId: account };
    const state = savedState(1, 900);
    await api.write(account, `profile-${uuidOf(account)}`, [
      events.ProfileCreated({ ...of, at: minute(0) }),
      events.StateSaved({ ...of, state, at: minute(65) }),
      events.ProfilePurged({ ...of, at: minute(50) }),
    ]);
    const query = `metric=storage.profile_bytes&bucket=hour&from=${minute(0)}&to=${minute(130)}`;
    expect((await series(key.text, query)).map(([, value]) => value)).to.deep.equal([0, 0, 0]);
  });

  it('counts the minutes of sessions that still run', async () => {
    const { account, key } = await api.addAccount();
    await begin(account, 599);
    const { json } = await api.call('GET /v1/usage', { token: key.text });
    expect(json.sessions).to.deep.equal({ count: 1, minutes: 1, concurrent_peak: 1 });
  });

  it('counts the turns of agents, and what models used for them, in the hour in which they did', async () => {
    const { account, key } = await api.addAccount();
    const talk = new Conversation(account, api.vault.seal);
    await api.write(account, talk.stream, [
      talk.created(),
      await talk.said('greet Ada', { at: minute(0) }),
      talk.decomposed({ inputTokens: 1200, outputTokens: 30, costCents: 10 }, { at: minute(0) }),
      talk.readBack({ inputTokens: 800, outputTokens: 20 }, { at: minute(1) }),
      await talk.answered({ body: 'Greeted.' }),
      await talk.said('greet Bob', { at: minute(65) }),
      talk.decomposed({}, { at: minute(65) }),
      await talk.answered({ body: 'Greeted.' }),
      await talk.said('and again', { at: minute(130) }),
      talk.decomposed({ inputTokens: 7, outputTokens: 5, costCents: 1 }, { at: minute(131) }),
    ]);
    const { json } = await api.call('GET /v1/usage', { token: key.text });
    expect(json.agent).to.deep.equal({ turns: 3, input_tokens: 2007, output_tokens: 55, cost_cents: 11 });
    expect(json.sessions).to.deep.equal({ count: 0, minutes: 0, concurrent_peak: 0 });
    const expected: Partial<Record<UsageMetric, readonly number[]>> = {
      'agent.turns': [1, 1, 1],
      'agent.input_tokens': [2000, 0, 7],
      'agent.output_tokens': [50, 0, 5],
      'agent.cost_cents': [10, 0, 1],
    };
    for (const [metric, numbers] of Object.entries(expected)) {
      const points = await series(
        key.text,
        `metric=${metric}&bucket=hour&from=${minute(0)}&to=${minute(150)}`,
      );
      expect(
        points.map(([, value]) => value),
        metric,
      ).to.deep.equal(numbers);
    }
  });

  it('counts agents beside the sessions that run meanwhile', async () => {
    const { account, key } = await api.addAccount();
    const session = await begin(account, 0);
    const talk = new Conversation(account, api.vault.seal);
    await api.write(account, talk.stream, [talk.created(), await talk.said('greet Ada', { at: minute(70) })]);
    await end(account, session, 80);
    const { json } = await api.call('GET /v1/usage', { token: key.text });
    expect([json.agent, json.sessions]).to.deep.equal([
      { turns: 1, input_tokens: 0, output_tokens: 0, cost_cents: 0 },
      { count: 1, minutes: 80, concurrent_peak: 1 },
    ]);
  });

  it('comes by the hour: every hour of the range, and what ran on from the hour before', async () => {
    const { account, key } = await api.addAccount();
    const [one, two] = [await begin(account, 0), await begin(account, 1)];
    await end(account, one, 120);
    await end(account, two, 121);
    const range = `from=${minute(0)}&to=${minute(200)}&bucket=hour`;
    const hours = ['2026-01-02T03', '2026-01-02T04', '2026-01-02T05', '2026-01-02T06'];
    const expected: Partial<Record<UsageMetric, readonly number[]>> = {
      'sessions.count': [2, 0, 0, 0],
      'sessions.minutes': [110.81, 120, 9.19, 0],
      'sessions.concurrent_peak': [2, 2, 2, 0],
      'agent.turns': [0, 0, 0, 0],
    };
    for (const [metric, numbers] of Object.entries(expected)) {
      const points = await series(key.text, `metric=${metric}&${range}`);
      expect(points, metric).to.deep.equal(hours.map((hour, index) => [hour, numbers[index]]));
    }
  });

  it('comes by the day in UTC, of the last 30 days when nothing else is said', async () => {
    const { account, key } = await api.addAccount();
    await end(account, await begin(account, -24 * 60), -23 * 60);
    await begin(account, 540);
    const days = await series(key.text, 'metric=sessions.minutes&bucket=day');
    expect(days).to.have.length(31);
    expect(days.slice(-2)).to.deep.equal([
      ['2026-01-01T00', 60],
      ['2026-01-02T00', 60],
    ]);
    expect(await series(key.text, '')).to.deep.equal(days.map(([t, value]) => [t, value === 60 ? 1 : 0]));
    const alias = await api.call('GET /v1/account/usage/series?bucket=hour', { token: key.text });
    expect(alias.json).to.include({ metric: 'sessions.count', bucket: 'hour' });
    expect(alias.json.points).to.have.length(25);
  });

  it('shows no sessions in hours that are yet to come', async () => {
    const { account, key } = await api.addAccount();
    await begin(account, 590);
    const range = `from=${minute(540)}&to=${minute(720)}&bucket=hour`;
    const points = await series(key.text, `metric=sessions.concurrent_peak&${range}`);
    expect(points.map(([, value]) => value)).to.deep.equal([1, 1, 0, 0]);
  });

  it('is the account’s own', async () => {
    const [{ account }, other] = [await api.addAccount(), await api.addAccount()];
    await begin(account, 0);
    const { json } = await api.call('GET /v1/usage', { token: other.key.text });
    expect(json.sessions).to.deep.equal({ count: 0, minutes: 0, concurrent_peak: 0 });
  });

  it('refuses a range that is reversed, empty, too long or no range, and words it does not know', async () => {
    const { key } = await api.addAccount();
    const wrong = [
      `from=${minute(1)}&to=${minute(0)}`,
      `from=${minute(1)}&to=${minute(1)}`,
      `from=${minute(700)}`,
      'from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&bucket=day',
      'from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&bucket=hour',
      'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z',
      'from=9999-12-30T00:00:00Z&to=9999-12-31T12:00:00Z&bucket=day',
      'from=9999-12-31T22:00:00Z&to=9999-12-31T23:30:00Z&bucket=hour',
      'from=9999-12-30T00:00:00Z&to=9999-12-31T12:00:00Z&bucket=day&metric=storage.profile_bytes',
      'from=yesterday',
      'from=2026-01-01',
      'from=',
      'from=%00',
      'bucket=minute',
      'bucket=hour&bucket=day',
      'metric=sessions',
      'metric=__proto__',
      'metric=%ED%A0%80',
    ];
    for (const query of wrong) {
      const answer = await api.call(`GET /v1/usage/series?${query}`, { token: key.text });
      expect(outcomeOf(answer), query).to.equal('validation-failed');
    }
  });

  it('gives a thousand points, of a range with an offset from UTC too', async () => {
    const { key } = await api.addAccount();
    const points = await series(
      key.text,
      'from=2023-01-02T01:00:00%2B01:00&to=2025-09-28T00:00:00Z&bucket=day',
    );
    expect([points.length, points[0]?.[0]]).to.deep.equal([1000, '2023-01-02T00']);
  });

  it('goes up to an hour before the end of the year 9999', async () => {
    const { key } = await api.addAccount();
    const range = 'from=9999-12-31T21:30:00Z&to=9999-12-31T22:30:00Z&bucket=hour';
    for (const metric of ['sessions.count', 'storage.profile_bytes'])
      expect(await series(key.text, `${range}&metric=${metric}`)).to.deep.equal([
        ['9999-12-31T21', 0],
        ['9999-12-31T22', 0],
      ]);
  });

  it('has every metric in the document', async () => {
    const { json } = await api.call('GET /openapi.json', { token: null });
    for (const metric of usageMetrics) expect(JSON.stringify(json)).to.contain(`"${metric}"`);
  });

  it('is the same when its table is made anew from the log', async () => {
    const { account } = await api.addAccount();
    const one = await begin(account, 0);
    await begin(account, 30);
    await end(account, one, 200);
    await api.caughtUp();
    const { postgres, store } = api;
    const verdict = await verifyProjection('usage_hours', { store, pool: postgres.pool });
    expect(verdict).to.deep.include({ matches: true });
  });
});
