import { expect } from 'chai';
import {
  AbortError,
  ConnectionFailed,
  Conflict,
  ModelUnavailable,
  RateLimited,
  Service,
  SessionDestroyed,
  UnknownOutcome,
  type TurnStep,
} from 'service/client';
import { startMisbehavingServer, until, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';

const agent = { id: 'agt_1', status: 'active', transcript_length: 0 };
const entry = (index: number) =>
  `event: transcript.entry\nid: ${index}\ndata: ${JSON.stringify({ index, entry: { role: 'user', body: `${index}`, at: '' } })}\n\n`;
const opened = ': stream open\n\nretry: 10\n\n';
const answer = {
  kind: 'plan-executed',
  session: agent,
  ok: true,
  intents: [{ kind: 'navigate', url: 'x' }],
  results: [{ kind: 'success', intent: { kind: 'navigate', url: 'x' }, summary: 'Loaded.' }],
};
const response = (status: number, body: unknown) =>
  `event: response\ndata: ${JSON.stringify({ status, body })}\n\n`;
const refused = (status: number, slug: string, more = {}) =>
  response(status, { type: `https://errors.example/${slug}`, title: slug, status, detail: 'No.', ...more });

describe('streams of the client', function () {
  this.timeout(20_000);
  let server: MisbehavingServer;
  const service = () => new Service({ baseUrl: server.url, apiKey: 'svc_test_1', readTimeoutMs: 300 });
  const handle = async () => {
    server.will(will.json(agent, { status: 201 }));
    return service().agents.create();
  };
  const failure = (call: PromiseLike<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  before(async () => {
    server = await startMisbehavingServer();
  });
  after(() => server.close());

  describe('a transcript', () => {
    const indexes = async (stream: AsyncIterable<{ index: number }>) => {
      const read: number[] = [];
      for await (const { index } of stream) read.push(index);
      return read;
    };
    const closed = (length: number) => will.json({ ...agent, status: 'closed', transcript_length: length });
    const nothingMore = will.events(opened, 'end');
    const from = () =>
      server.received
        .filter(({ path }) => path.endsWith('/transcript'))
        .map(({ headers }) => headers['last-event-id']);

    it('resumes where it broke, froze or was ended, until the session is closed', async () => {
      const own = await handle();
      server.will(
        will.events(opened, entry(3), 'break'),
        will.page(502),
        will.events(opened, entry(4).replaceAll('\n', '\r\n')),
        will.events(opened, entry(5), entry(6), 'end'),
        will.json(agent),
        will.events(opened, entry(7), 'end'),
        closed(8),
        nothingMore,
      );
      expect(await indexes(own.transcript({ after: 2 }))).to.deep.equal([3, 4, 5, 6, 7]);
      expect(from()).to.deep.equal(['2', '3', '3', '4', '6', '7']);
    });

    it('is read to its last entry, also if a stream of a closed session is ended before', async () => {
      server.will(
        will.events(opened, entry(0), 'end'),
        closed(3),
        will.events(opened, entry(1), entry(2), 'end'),
        closed(3),
        nothingMore,
      );
      expect(await indexes(service().agents.transcript('agt_1'))).to.deep.equal([0, 1, 2]);
      expect(from()).to.deep.equal([undefined, '0', '2']);
    });

    it('includes what a turn adds that was running at the close', async () => {
      server.will(
        will.events(opened, entry(0), 'end'),
        closed(1),
        will.events(opened, entry(1), 'end'),
        closed(2),
        nothingMore,
      );
      expect(await indexes(service().agents.transcript('agt_1'))).to.deep.equal([0, 1]);
    });

    it('is reopened however often it is cut, as long as its connections live', async () => {
      const beat = ': heartbeat 2026-01-01T00:00:00.000Z\n\n';
      const cut = will.events(opened, beat, 'break');
      const cuts = Array.from({ length: 7 }, () => cut);
      server.will(cut, ...cuts, will.events(opened, entry(0), 'end'), closed(1), nothingMore);
      expect(await indexes(service().agents.transcript('agt_1'))).to.deep.equal([0]);
    });

    it('is reopened after an end if the service cannot tell whether it is over', async () => {
      const away = Array.from({ length: 3 }, () => will.page(502));
      server.will(
        will.events(opened, entry(0), 'end'),
        ...away,
        will.events(opened, entry(1), 'end'),
        closed(2),
        nothingMore,
      );
      expect(await indexes(service().agents.transcript('agt_1'))).to.deep.equal([0, 1]);
    });

    it('begins with the first entry by default', async () => {
      server.will(will.events(opened, entry(0), 'end'), closed(1), nothingMore);
      expect(await indexes(service().agents.transcript('agt_1'))).to.deep.equal([0]);
      expect(from()).to.deep.equal([undefined, '0']);
    });

    it('closes its connection when the loop is left, and when its signal is aborted', async () => {
      server.will(will.events(opened, entry(0), entry(1)));
      const controller = new AbortController();
      for await (const { index } of service().agents.transcript('agt_1')) if (index === 1) break;
      await until(() => server.open === 0);
      const aborted = (async () => {
        for await (const { index } of service().agents.transcript('agt_1', { signal: controller.signal }))
          if (index === 1) controller.abort();
      })();
      expect(await failure(aborted)).to.be.instanceOf(AbortError);
      await until(() => server.open === 0);
    });

    it('throws the problem that refuses it', async () => {
      server.will(will.problem(409, 'conflict'));
      expect(await failure(indexes(service().agents.transcript('agt_1')))).to.be.instanceOf(Conflict);
    });

    it('is opened once where there are to be no retries', async () => {
      server.will(will.problem(429, 'rate-limited', { retry_after_seconds: 0 }, { 'Retry-After': '0' }));
      const once = new Service({ baseUrl: server.url, apiKey: 'k', maxRetries: 0 });
      expect(await failure(indexes(once.agents.transcript('agt_1')))).to.be.instanceOf(RateLimited);
      expect(server.received).to.have.length(1);
    });

    it('gives up after silence', async () => {
      server.will(will.broken);
      const impatient = new Service({ baseUrl: server.url, apiKey: 'k', timeoutMs: 1500 });
      expect(await failure(indexes(impatient.agents.transcript('agt_1')))).to.be.instanceOf(ConnectionFailed);
    });
  });

  describe('a turn', () => {
    it('can be awaited for its answer, which is requested as a stream', async () => {
      const own = await handle();
      server.will(
        will.events(
          ': stream open\n\n',
          ': heartbeat 2026-01-01T00:00:00.000Z\n\n',
          response(200, answer),
          'end',
        ),
      );
      expect(await own.send('Go on.', { recipe_id: 'rec_1', idempotencyKey: 'mine' })).to.deep.equal(answer);
      const [sent] = server.received;
      expect(sent).to.include({
        path: '/v1/agent-sessions/agt_1/message',
        body: '{"user_message":"Go on.","recipe_id":"rec_1"}',
      });
      expect(sent?.headers).to.include({ accept: 'text/event-stream', 'idempotency-key': 'mine' });
    });

    it('is a promise, which has the headers as well', async () => {
      const own = await handle();
      server.will(will.events(response(200, answer), 'end'));
      const turn = own.send('Go on.');
      const whole = await turn.withResponse();
      expect(whole.data).to.deep.equal(answer);
      expect(whole.response.headers.get('content-type')).to.include('event-stream');
      let ended = false;
      await turn.finally(() => (ended = true));
      expect(ended).to.equal(true);
      server.will(will.events(refused(410, 'session-destroyed'), 'end'));
      expect(await own.send('Go on.').catch((error: unknown) => error)).to.be.instanceOf(SessionDestroyed);
    });

    it('yields its steps, even to a late reader', async () => {
      const own = await handle();
      server.will(will.events(': heartbeat 2026-01-01T00:00:00.000Z\n\n', response(200, answer), 'end'));
      const turn = own.send('Go on.');
      await turn;
      const steps: TurnStep[] = [];
      for await (const step of turn) steps.push(step);
      expect(steps.map(({ kind }) => kind)).to.deep.equal(['working', 'intent', 'answer']);
      expect(server.received).to.have.length(1);
    });

    it('is requested again under the same key when its stream is cut, until the first request is done', async () => {
      const own = await handle();
      const busy = will.events(refused(409, 'conflict', { retry_after_seconds: 0 }), 'end');
      server.will(
        will.events(': stream open\n\n', 'break'),
        busy,
        busy,
        busy,
        busy,
        will.events(response(200, answer), 'end'),
      );
      expect(await own.send('Go on.')).to.deep.equal(answer);
      expect(server.received).to.have.length(6);
      expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).to.equal(1);
    });

    it('throws the problem that refuses it, in the stream or before', async () => {
      const own = await handle();
      server.will(will.events(refused(409, 'conflict', { phase: 'executing' }), 'end'));
      expect(await failure(own.send('Go on.')))
        .to.be.instanceOf(Conflict)
        .with.property('phase', 'executing');
      server.will(will.problem(409, 'conflict'));
      expect(await failure(own.send('Go on.'))).to.be.instanceOf(Conflict);
    });

    it('throws at once that the model is unavailable, since the same key would get that answer again', async () => {
      const own = await handle();
      const down = refused(503, 'model-unavailable', { retry_after_seconds: 120 });
      server.will(will.events(': stream open\n\n', 'break'), will.events(down, 'end'));
      const error = await failure(own.send('Go on.'));
      expect(error).to.be.instanceOf(ModelUnavailable).and.to.include({ retryAfter: 120 });
      expect(error).not.to.have.property('idempotencyKey');
      expect(server.received).to.have.length(2);
    });

    it('has an unknown outcome if no stream reaches its end', async () => {
      const own = await handle();
      server.will(will.broken);
      const error = await failure(own.send('Go on.', { idempotencyKey: 'mine' }));
      expect(error).to.be.instanceOf(UnknownOutcome).with.property('idempotencyKey', 'mine');
      server.will(will.events(': stream open\n\n'));
      expect(await failure(own.send('Go on.', { timeoutMs: 1000 }))).to.be.instanceOf(UnknownOutcome);
    });

    it('has an unknown outcome if a stream is cut and another one refused before the message is looked at', async () => {
      const own = await handle();
      const limited = will.problem(429, 'rate-limited', {}, { 'Retry-After': '9' });
      server.will(will.events(': stream open\n\n'), limited);
      const error = await failure(own.send('Go on.', { idempotencyKey: 'mine', timeoutMs: 5000 }));
      expect(error).to.be.instanceOf(UnknownOutcome).with.property('idempotencyKey', 'mine');
    });

    it('ends when its loop is left', async () => {
      const own = await handle();
      server.will(will.events(': heartbeat 2026-01-01T00:00:00.000Z\n\n'));
      for await (const { kind } of own.send('Go on.')) {
        expect(kind).to.equal('working');
        break;
      }
      await until(() => server.open === 0);
    });
  });

  it('of the status are read as states', async () => {
    const status = { status: { indicator: 'none' } };
    server.will(will.events(opened, `event: status.updated\nid: 7\ndata: ${JSON.stringify(status)}\n\n`));
    for await (const state of service().status.stream()) {
      expect(state).to.deep.equal(status);
      break;
    }
  });
});
