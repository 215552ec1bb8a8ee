import { expect } from 'chai';
import { pino } from 'pino';
import { createGateway, type GatewayOptions } from '../../infra/gateway/index.ts';
import { caller } from '../../infra/http/testing.ts';
import { listen } from '../../infra/http/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { errorsBase, outcomeOf, startReadApi, type ReadApi } from '../testing.ts';
import { isQuiet, openStream, pathOf, talking, write, type Talk } from './testing.ts';

describe('a stream of a transcript through the gateway', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi({ heartbeatMs: 50 });
    api.project();
  });
  after(() => api.close());

  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const running: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(running.splice(0).map((close) => close())));
  /** The gateway, as its role starts it. */
  async function startGateway(options: Partial<GatewayOptions> = {}) {
    const readUrl = `http://127.0.0.1:${api.port}`;
    const gateway = createGateway({ readUrl, writeUrl: readUrl, errorsBase, logger, ...options });
    const { port, close } = await listen(gateway.listener, 0, { errorsBase });
    let closing: Promise<void> | undefined;
    const closeAll = async () => {
      gateway.drain();
      await close();
      await gateway.close();
    };
    const stop = () => (closing ??= closeAll());
    running.push(stop);
    return { port, stop, call: caller(port) };
  }
  const open = (port: number, talk: Talk, headers = {}) =>
    openStream(port, pathOf(talk), { token: talk.key.text, headers });

  it('comes as it is sent, entry by entry, also after Last-Event-ID', async () => {
    const [talk, { port }] = [await talking(api), await startGateway()];
    await write(api, talk, await talk.logged('zero'));
    const [stream, resumed] = [await open(port, talk), await open(port, talk, { 'Last-Event-ID': '0' })];
    for (const count of [1, 2, 3]) {
      await write(api, talk, await talk.logged(String(count)));
      await stream.received(count + 1);
    }
    await resumed.received(3);
    expect([stream.ids, resumed.ids]).to.deep.equal([
      ['0', '1', '2', '3'],
      ['1', '2', '3'],
    ]);
    expect(stream.headers['content-type']).to.equal('text/event-stream');
    await write(api, talk, talk.closed());
    expect(await stream.over()).to.equal('ended');
  });

  it('outlives the limit of an answer as long as there are heartbeats', async () => {
    const [talk, { port }] = [await talking(api), await startGateway({ answerTimeoutMs: 1000 })];
    const stream = await open(port, talk);
    await isQuiet(stream, 60);
    expect(stream.outcome()).to.equal('open');
  });

  it('takes no connection from other requests', async () => {
    const [talk, { port, call }] = [await talking(api), await startGateway({ connections: 1 })];
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(port, talk)));
    expect(streams.map(({ status }) => status)).to.deep.equal(streams.map(() => 200));
    const answer = await call(`GET /v1/agent-sessions/${talk.id}`, { token: talk.key.text });
    expect(answer.status).to.equal(200);
    const headers = { accept: 'text/event-stream' };
    const eleventh = await call(`GET ${pathOf(talk)}`, { token: talk.key.text, headers });
    expect([outcomeOf(eleventh), eleventh.headers['retry-after']]).to.deep.equal(['rate-limited', '30']);
  });

  it('is closed upstream when its client leaves', async () => {
    const [talk, { port }] = [await talking(api), await startGateway()];
    const before = api.transcripts.count();
    const stream = await open(port, talk);
    await isQuiet(stream);
    expect(api.transcripts.count()).to.equal(before + 1);
    stream.leave();
    await until(() => api.transcripts.count() === before);
  });

  it('ends cleanly, and at once, when the gateway stops', async () => {
    const [talk, { port, stop }] = [await talking(api), await startGateway()];
    const before = api.transcripts.count();
    const streams = await Promise.all([open(port, talk), open(port, talk)]);
    await Promise.all(streams.map((each) => isQuiet(each)));
    const startedAt = performance.now();
    await stop();
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    expect(await Promise.all(streams.map((each) => each.over()))).to.deep.equal(['ended', 'ended']);
    await until(() => api.transcripts.count() === before);
  });

  it('leaves the credential of its query out of the log, whatever fails', async () => {
    const [talk, working] = [await talking(api), await startGateway()];
    const away = await startGateway({ readUrl: 'http://127.0.0.1:1' });
    const path = `${pathOf(talk)}?token=${talk.key.text}`;
    const stream = await openStream(working.port, path, {});
    await isQuiet(stream);
    stream.leave();
    const refused = await away.call(`GET ${path}`, { token: null });
    expect(refused.status).to.equal(503);
    await until(() => logged.some((line) => line.includes('An upstream did not answer')));
    expect(`${logged.join('')}${JSON.stringify(refused)}`).not.to.contain(talk.key.text);
  });
});
