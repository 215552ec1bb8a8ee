import { expect } from 'chai';
import { FeatureUnavailable, Service, UnknownOutcome, type ServiceOptions } from 'service/client';
import { startMisbehavingServer, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';
import { errorOf } from './error-of.ts';

const away = will.problem(503, 'feature-unavailable', { retry_after_seconds: 0 }, { 'Retry-After': '0' });

describe('the client reports a change', function () {
  this.timeout(20_000);
  let server: MisbehavingServer;
  const client = (options: Partial<ServiceOptions> = {}) =>
    new Service({ baseUrl: server.url, apiKey: 'svc_test_1', ...options });
  const handle = async (options?: Partial<ServiceOptions>) => {
    server.will(will.json({ id: 'ses_1', status: 'ready', label: '' }, { status: 201 }));
    return client(options).sessions.create();
  };

  before(async () => {
    server = await startMisbehavingServer();
  });
  after(() => server.close());

  it("with a key, while the event store is down, as the service's problem, with the key that it was sent with", async () => {
    server.will(away);
    const error = await errorOf(client().sessions.create(), FeatureUnavailable);
    expect(server.received).to.have.length(3);
    expect(error.idempotencyKey).to.equal(server.received[0]?.headers['idempotency-key']);
  });

  it('as possibly made if an earlier try may have made it, whatever the answer to the last try', async () => {
    const tries = [
      [will.broken, will.problem(401, 'revoked-key')],
      [away, will.problem(429, 'rate-limited', { retry_after_seconds: 9 }, { 'Retry-After': '9' })],
    ] as const;
    for (const [first, last] of tries) {
      const own = await handle({ timeoutMs: 5000 });
      server.will(first, last);
      const { ask } = await errorOf(own.end(), UnknownOutcome);
      expect(ask).to.contain('same call').and.not.contain('key');
      server.will(first, last);
      const error = await errorOf(client({ timeoutMs: 5000 }).sessions.create(), UnknownOutcome);
      expect(error.idempotencyKey).to.equal(server.received[0]?.headers['idempotency-key']);
    }
  });

  it('as refused at once, if that is the stored answer of its key', async () => {
    const replayed = { 'Retry-After': '0', 'Idempotency-Replayed': 'true' };
    server.will(will.broken, will.problem(503, 'feature-unavailable', { retry_after_seconds: 0 }, replayed));
    await errorOf(client().sessions.create(), FeatureUnavailable);
    expect(server.received).to.have.length(2);
  });

  it('as possibly made if there is no credential for another try, and as not sent if there was none for the first', async () => {
    server.will(will.broken);
    const failure = new Error('No token.');
    const keysUntil = (last: number) => {
      let asked = 0;
      return async () => {
        asked += 1;
        if (asked > last) throw failure;
        return 'svc_test_1';
      };
    };
    const error = await errorOf(client({ apiKey: keysUntil(1) }).sessions.create(), UnknownOutcome);
    expect(error.idempotencyKey).to.equal(server.received[0]?.headers['idempotency-key']);
    expect(server.received).to.have.length(1);
    expect(await errorOf(client({ apiKey: keysUntil(0) }).sessions.create(), Error)).to.equal(failure);
  });

  it('with the request id that it was sent with, which finds its effects', async () => {
    server.will(will.broken);
    const error = await errorOf(client().keys.create({ name: 'ci', scopes: ['read'] }), UnknownOutcome);
    expect(error.requestId).to.match(/^req_[0-9a-f-]{36}$/);
    expect(server.received[0]?.headers['x-request-id']).to.equal(error.requestId);
    expect(error.ask).to.contain(`requests.get('${error.requestId}')`);
  });
});
