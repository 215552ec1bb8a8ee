import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import {
  AbortError,
  ConnectionFailed,
  ProfileInUse,
  RateLimited,
  Service,
  ServiceError,
  SessionDestroyed,
  UnknownOutcome,
  type ServiceOptions,
} from 'service/client';
import { freePort } from '../../platform/free-port.ts';
import { startMisbehavingServer, until, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';
import { errorOf } from './error-of.ts';

const beBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

const session = { id: 'ses_1', status: 'ready', label: '' };
describe('the client, when the service or the way to it fails', function () {
  this.timeout(20_000);
  let server: MisbehavingServer;
  const client = (options: Partial<ServiceOptions> = {}) =>
    new Service({ baseUrl: server.url, apiKey: 'svc_test_1', ...options });
  /** Returns the handle of an existing session; the next requests behave as given. */
  const handle = async (options?: Partial<ServiceOptions>) => {
    server.will(will.json(session, { status: 201 }));
    return client(options).sessions.create();
  };

  before(async () => {
    server = await startMisbehavingServer();
  });
  after(() => server.close());

  describe('retries', () => {
    it('a read whose connection breaks', async () => {
      server.will(will.broken, will.json(session));
      expect(await client().sessions.get('ses_1')).to.include({ id: 'ses_1' });
      expect(server.received).to.have.length(2);
    });

    for (const [name, first] of Object.entries({
      'is answered by a proxy': will.page(502),
      'is cut': will.cut(session),
      'is no JSON': will.tooShort(session),
    }))
      it(`a read that ${name}`, async () => {
        server.will(first, will.json(session));
        expect(await client().sessions.get('ses_1')).to.include({ id: 'ses_1' });
      });

    it('a keyed write, with the same key for each try, and another key for each call', async () => {
      server.will(will.broken, will.page(503), will.json(session, { status: 201 }));
      await client().sessions.create({ label: 'once' });
      const keys = server.received.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).to.equal(1);
      expect(keys[0]).to.match(/^[0-9a-f-]{36}$/);
      await client().sessions.create({ label: 'once' });
      expect(server.received.at(-1)?.headers['idempotency-key']).not.to.equal(keys[0]);
    });

    it('after the seconds in Retry-After, and not before', async () => {
      server.will(
        will.problem(429, 'rate-limited', { retry_after_seconds: 1 }, { 'Retry-After': '1' }),
        will.json(session),
      );
      const startedAt = performance.now();
      await client().sessions.get('ses_1');
      expect(performance.now() - startedAt).to.be.at.least(1000);
    });

    it('a keyed write whose first request is still under way', async () => {
      server.will(
        will.problem(409, 'conflict', { retry_after_seconds: 0 }, { 'Retry-After': '0' }),
        will.json(session, { status: 201, headers: { 'Idempotency-Replayed': 'true' } }),
      );
      const { replayed, requestId } = await client().sessions.create().withResponse();
      expect({ replayed, requestId }).to.deep.equal({ replayed: true, requestId: 'req-1' });
    });

    it('at most as often as configured', async () => {
      server.will(will.broken);
      await errorOf(client({ maxRetries: 1 }).sessions.get('ses_1'), ConnectionFailed);
      expect(server.received).to.have.length(2);
      server.will(will.broken);
      await errorOf(client({ maxRetries: 0 }).sessions.get('ses_1'), ConnectionFailed);
      expect(server.received).to.have.length(1);
    });

    it('until its time limit, which a busy program may notice before the end of a wait that ended earlier', async () => {
      server.will(will.silent, will.problem(503, 'internal', { retry_after_seconds: 0.8 }));
      let warn: () => void = () => undefined;
      const warned = new Promise<void>((resolve) => (warn = resolve));
      const asker = client({ timeoutMs: 1000, logger: { warn } });
      const silent = errorOf(asker.sessions.get('ses_1'), ServiceError);
      await until(() => server.received.length === 1);
      beBusy(300);
      const waiting = errorOf(asker.sessions.get('ses_1'), ServiceError);
      await warned;
      await setImmediate();
      // Afterwards all timers are due. Node runs the earliest and those of the same duration first: both time limits,
      // and then the wait.
      beBusy(1100);
      await Promise.all([silent, waiting]);
    });

    it('not when there is no time left to wait: the answer is thrown', async () => {
      server.will(will.problem(429, 'rate-limited', { retry_after_seconds: 30 }, { 'Retry-After': '30' }));
      const error = await errorOf(client({ timeoutMs: 2000 }).sessions.get('ses_1'), RateLimited);
      expect(error).to.include({ status: 429, retryAfter: 30, retryAfterSeconds: 30, requestId: 'req-1' });
      expect(server.received).to.have.length(1);
    });
  });

  describe('sends an operation of a browser once', () => {
    const failures = {
      'a broken connection': will.broken,
      'an answer that is cut': will.cut({ final_url: 'x' }),
      'an answer that is no JSON': will.tooShort({ final_url: 'x' }),
      'a 502 that says nothing': will.page(502),
      'a 504 that says nothing': will.page(504),
      'an event store that is away': will.problem(
        503,
        'feature-unavailable',
        { retry_after_seconds: 2 },
        { 'Retry-After': '2' },
      ),
    };
    for (const [name, failure] of Object.entries(failures))
      it(`and reports the outcome of ${name} as unknown`, async () => {
        const own = await handle();
        server.will(failure);
        const error = await errorOf(own.navigate('https://example.org'), UnknownOutcome);
        expect(error.ask).to.contain('was sent once');
        expect(error.idempotencyKey).to.equal(undefined);
        expect(server.received).to.have.length(1);
      });

    it('even if it only reads, and if the time is up', async () => {
      const own = await handle();
      server.will(will.silent);
      await errorOf(own.state({ timeoutMs: 100 }), UnknownOutcome);
      await errorOf(own.tap({ selector: '#go' }, { timeoutMs: 100 }), UnknownOutcome);
      expect(server.received).to.have.length(2);
    });

    it('and throws a problem as what it is', async () => {
      const own = await handle();
      server.will(will.problem(410, 'session-destroyed'));
      await errorOf(own.navigate('https://example.org'), SessionDestroyed);
      server.will(will.problem(429, 'rate-limited', { retry_after_seconds: 0 }, { 'Retry-After': '0' }));
      await errorOf(own.navigate('https://example.org'), RateLimited);
      expect(server.received).to.have.length(1);
    });

    it('and knows that nothing was sent when there was no connection', async () => {
      const baseUrl = `http://127.0.0.1:${await freePort()}`;
      const nobody = new Service({ baseUrl, apiKey: 'svc_test_1' });
      const error = await errorOf(
        nobody.sessions.navigate('ses_1', { url: 'https://example.org' }),
        ConnectionFailed,
      );
      expect(error).to.include({ status: 0 });
    });
  });

  describe('reports a change', () => {
    it('without a key as possibly made, and does not repeat it', async () => {
      server.will(
        will.problem(503, 'feature-unavailable', { retry_after_seconds: 1 }, { 'Retry-After': '1' }),
      );
      const error = await errorOf(client().keys.create({ name: 'ci', scopes: ['read'] }), UnknownOutcome);
      expect(error).to.include({ status: 503, slug: 'feature-unavailable' });
      expect(server.received).to.have.length(1);
    });

    it('with a key together with that key, so that it can be repeated', async () => {
      server.will(will.broken);
      const call = client({ maxRetries: 1 }).sessions.create({}, { idempotencyKey: 'mine' });
      const error = await errorOf(call, UnknownOutcome);
      expect(error.idempotencyKey).to.equal('mine');
      expect(server.received.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
        'mine',
        'mine',
      ]);
    });

    it('with a key whose first request stays under way as unknown', async () => {
      server.will(will.problem(409, 'conflict', { retry_after_seconds: 0 }, { 'Retry-After': '0' }));
      await errorOf(client().sessions.create(), UnknownOutcome);
      expect(server.received).to.have.length(3);
    });

    it('that is refused at once, with the problem', async () => {
      server.will(will.problem(409, 'profile-in-use', { active_session_id: 'ses_2' }));
      const error = await errorOf(client().sessions.create({ profile_id: 'prof_1' }), ProfileInUse);
      expect(error.activeSessionId).to.equal('ses_2');
      expect(error).to.include({ name: 'ProfileInUse', detail: 'It is profile-in-use.' });
      expect(error.is('profile-in-use')).to.equal(true);
      expect(error.is('conflict')).to.equal(false);
      expect(server.received).to.have.length(1);
    });
  });

  describe('reads', () => {
    it("a proxy's error page as an error of its status", async () => {
      server.will(will.page(500));
      const error = await errorOf(client().account.me(), ServiceError);
      expect(error).to.include({ status: 500, type: '', slug: '' });
      expect(error.message).to.contain('500 from a proxy');
    });

    it('a problem of a newer service as internal, with all of its members', async () => {
      server.will(will.problem(418, 'teapot', { spout: 'short' }));
      const error = await errorOf(client().account.me(), ServiceError);
      expect(error).to.include({ name: 'Internal', status: 418, slug: 'teapot', spout: 'short' });
    });

    it('fields and words of a newer service', async () => {
      server.will(will.json({ ...session, status: 'dreaming', aura: { colour: 'green' } }));
      expect(await client().sessions.get('ses_1')).to.deep.include({
        status: 'dreaming',
        aura: { colour: 'green' },
      });
    });

    it('an answer of 10 MB, and no more than the beginning of a problem of 10 MB', async () => {
      const large = 'x'.repeat(10_000_000);
      server.will(will.json({ data: large }));
      expect((await client().request<{ data: string }>('GET', '/v1/large')).data).to.have.length(10_000_000);
      server.will(will.json(large, { status: 500 }));
      const error = await errorOf(client().request('GET', '/v1/large'), ServiceError);
      expect(error.message.length).to.be.below(1000);
    });

    it('an answer that arrives slowly, within its time limit', async () => {
      server.will(will.drip(session, 2));
      expect(await client({ readTimeoutMs: 1000 }).sessions.get('ses_1')).to.include({ id: 'ses_1' });
      server.will(will.drip(session, 20));
      const error = await errorOf(client({ timeoutMs: 200 }).sessions.get('ses_1'), ConnectionFailed);
      expect(error.message).to.contain('within 200 ms');
    });

    it('nothing more from a frozen connection', async () => {
      server.will(will.frozen(session));
      const error = await errorOf(
        client({ readTimeoutMs: 100, maxRetries: 0 }).sessions.get('ses_1'),
        ConnectionFailed,
      );
      expect(error.message).to.contain('silent for 100 ms');
    });
  });

  describe('ends a call', () => {
    it('by its signal, while it waits for an answer, for its body and for another try', async () => {
      const waits = {
        silent: will.silent,
        frozen: will.frozen(session),
        retry: will.problem(429, 'rate-limited', {}, { 'Retry-After': '9' }),
      };
      for (const [name, behaviour] of Object.entries(waits)) {
        server.will(behaviour);
        const controller = new AbortController();
        const call = client().sessions.get('ses_1', { signal: controller.signal });
        await until(() => server.received.length === 1);
        controller.abort('enough');
        const error = await errorOf(call, AbortError);
        expect(error, name).to.include({ name: 'AbortError', cause: 'enough' });
      }
    });

    it('that was aborted before, without a request', async () => {
      server.will(will.json(session));
      await errorOf(client().sessions.get('ses_1', { signal: AbortSignal.abort() }), AbortError);
      expect(server.received).to.deep.equal([]);
    });

    it('even if its credential never comes', async () => {
      server.will(will.json(session));
      const stuck = client({ apiKey: () => new Promise(() => undefined), timeoutMs: 50 });
      await errorOf(stuck.sessions.create(), ConnectionFailed);
      const controller = new AbortController();
      const call = stuck.sessions.get('ses_1', { signal: controller.signal, timeoutMs: 10_000 });
      controller.abort();
      await errorOf(call, AbortError);
      expect(server.received).to.deep.equal([]);
    });

    it('even if the given fetch never answers and ignores its signal', async () => {
      const deaf = client({ fetch: () => new Promise(() => undefined), timeoutMs: 50 });
      await errorOf(deaf.sessions.get('ses_1'), ConnectionFailed);
    });
  });
});
