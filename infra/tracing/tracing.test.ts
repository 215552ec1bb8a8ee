import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { refuse } from '../../contracts/problems.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../verification/testbed/index.ts';
import { following, inSpan, logFields, serving, traceHeader, traceparent, traceWith } from './index.ts';
import { startTracing, type RunningTracing } from './sdk.ts';
import { parseTraceparent, traceparentOf } from './traceparent.ts';

const at = (trace: number, sampled = true) =>
  `00-${String(trace).padStart(32, '0')}-${'1'.padStart(16, '0')}-${sampled ? '01' : '00'}`;
const traceIdOf = (text: string) => parseTraceparent(text)?.traceId;
const nothing = () => Promise.resolve();
const step = { name: 'step' };

describe('tracing', () => {
  let collector: OtlpReceiver;
  let running: RunningTracing;
  const warnings: string[] = [];
  before(async () => (collector = await startOtlpReceiver()));
  after(() => collector.close());
  afterEach(async () => {
    traceWith(undefined);
    await running.close();
    collector.spans.length = 0;
    collector.status = 200;
  });

  const start = (ratio = 1) => {
    const logger = {
      warn: (_fields: object, message: string) => warnings.push(message),
      info: (message: string) => warnings.push(message),
    } as unknown as Parameters<typeof startTracing>[0]['logger'];
    running = startTracing({ endpoint: collector.url, ratio, role: 'test', logger });
    traceWith(running.tracing);
  };
  /** All ended spans, by name. */
  const sent = async (): Promise<Readonly<Record<string, ReceivedSpan>>> => {
    await running.close();
    return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
  };
  const response = (statusCode: number) =>
    Object.assign(new EventEmitter(), { statusCode, writableFinished: true }) as unknown as ServerResponse &
      EventEmitter;

  it('is nothing but the work where it is off', async () => {
    start();
    traceWith(undefined);
    expect(await inSpan(step, async () => [traceparent(), traceHeader(), logFields()])).to.deep.equal([
      undefined,
      {},
      {},
    ]);
    expect(await following([at(1)], step, () => Promise.resolve(7))).to.equal(7);
    expect(await sent()).to.deep.equal({});
  });

  it('makes a request one trace, with the process that sent it and the steps within', async () => {
    start();
    const answer = response(200);
    let fields: unknown;
    let work: Promise<unknown> = nothing();
    const request = {
      method: 'GET',
      parent: at(5),
      route: () => '/v1/things/{id}',
      about: () => ({ request_id: 'req_1' }),
    };
    serving(answer, request, () => {
      fields = logFields();
      work = inSpan(
        { ...step, kind: 'client', attributes: { 'server.address': 'here' } },
        async ({ set }) => {
          set({ 'http.response.status_code': 204 });
        },
      );
    });
    await work;
    answer.emit('close');
    const { step: within, 'GET /v1/things/{id}': served } = await sent();
    expect(fields).to.deep.equal({ trace_id: traceIdOf(at(5)), request_id: 'req_1' });
    expect(served).to.deep.include({ kind: 'server', traceId: traceIdOf(at(5)), role: 'test' });
    expect(served?.parentId).to.equal(parseTraceparent(at(5))?.spanId);
    expect(served?.attributes).to.deep.equal({
      'http.request.method': 'GET',
      'http.route': '/v1/things/{id}',
      'http.response.status_code': 200,
    });
    expect(within).to.deep.include({ kind: 'client', parentId: served?.spanId, hasFailed: false });
    expect(within?.attributes).to.deep.equal({ 'server.address': 'here', 'http.response.status_code': 204 });
  });

  it('makes what follows a trace of its own, with links to the first 32 of its causes and no parent', async () => {
    start();
    const causes = [undefined, 'nonsense', ...Array.from({ length: 40 }, (_, index) => at(index + 1)), at(1)];
    await following(causes, { name: 'later', kind: 'consumer' }, () => inSpan(step, nothing));
    const { later, step: within } = await sent();
    expect(later?.parentId).to.equal(undefined);
    expect(later?.links.map(({ traceId }) => traceId)).to.deep.equal(
      causes.slice(2, 34).map((each) => traceIdOf(each ?? '')),
    );
    expect(within).to.include({ parentId: later?.spanId, traceId: later?.traceId });
  });

  it('leaves no trace of work with nothing to do, and none of steps outside of a trace', async () => {
    start();
    await following([at(1)], { name: 'idle' }, nothing);
    await inSpan(step, nothing);
    expect(await sent()).to.deep.equal({});
  });

  it('says the class of an error and none of its words; a refusal is no failure', async () => {
    start();
    const failing = (name: string, error: Error) =>
      following([], { name: `${name} root` }, () => inSpan({ name }, () => Promise.reject(error))).catch(
        () => undefined,
      );
    await failing('broken', new TypeError('canary'));
    await failing('refused', refuse('not-found', 'canary'));
    const { broken, refused } = await sent();
    expect([broken?.hasFailed, broken?.attributes]).to.deep.equal([true, { 'error.type': 'TypeError' }]);
    expect([refused?.hasFailed, refused?.attributes]).to.deep.equal([false, { 'error.type': 'not-found' }]);
    expect(collector.texts.join()).not.to.include('canary');
  });

  it('sends, of what is not sampled, what has failed and nothing else', async () => {
    start(0);
    const all = (name: string, work: () => Promise<void>) =>
      following([], { name }, async () => {
        await inSpan({ name: `${name} before` }, nothing);
        await inSpan({ name: `${name} step` }, work).catch(() => undefined);
      });
    await all('good', nothing);
    await all('bad', () => Promise.reject(new Error('no')));
    expect(Object.keys(await sent()).sort()).to.deep.equal(['bad', 'bad before', 'bad step']);
  });

  it('follows what was decided where a trace began, over processes and over links', async () => {
    start(0);
    const serve = (parent: string | undefined, name: string) => {
      const answer = response(200);
      serving(answer, { method: 'GET', parent, route: () => name }, () => undefined);
      answer.emit('close');
    };
    serve(at(1), '/sampled');
    serve(at(2, false), '/left');
    serve(undefined, '/own');
    for (const [name, causes] of [
      ['of a sampled one', [at(3, false), at(4)]],
      ['of none', [at(3, false)]],
    ] as const)
      await following(causes, { name }, () => inSpan(step, nothing));
    expect(collector.spans).to.deep.equal([]);
    expect(Object.keys(await sent()).sort()).to.deep.equal(['GET /sampled', 'of a sampled one', 'step']);
  });

  it('says where it is also when that is not sampled', async () => {
    start(0);
    const place = await following([], step, () => Promise.resolve(traceparent()));
    expect(place).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(traceparentOf(parseTraceparent(place) ?? { traceId: '', spanId: '', traceFlags: 0 })).to.equal(
      place,
    );
  });

  it('goes on while the collector is away, and says so once', async () => {
    start();
    collector.status = 400;
    warnings.length = 0;
    for (let turn = 0; turn < 3; turn += 1)
      await following([], { name: 'lost' }, () => inSpan(step, nothing));
    await running.close();
    expect(warnings).to.deep.equal(['Traces do not reach the collector.']);
  });
});
