import { createHmac } from 'node:crypto';
import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../platform/clock.ts';
import { parseAllowList } from '../outbound/address-policy.ts';
import type { Lookup } from '../outbound/lookup.ts';
import { until } from '../verification/testbed/until.ts';
import { certificate } from '../verification/testbed/certificate.ts';
import { startRawReceiver, startReceiver, type Answer, type Receiver } from './testing/receiver.ts';
import { createSender, type WebhookMessage, type Sender, type SenderOptions } from './sender.ts';
import { createWebhookTarget } from './target.ts';

const secrets = ['whsec_new', 'whsec_old'];
const messageTo = (url: string): WebhookMessage => ({
  url,
  body: '{"name":"Zoë","emoji":"🦉"}',
  eventId: 'c0ffee00-0000-4000-8000-000000000001',
  eventType: 'session.completed',
  secrets,
});

const toLoopback: Lookup = () => Promise.resolve(['127.0.0.1']);

describe('sending a webhook', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  const keep = <Opened extends { close(): Promise<void> }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  const senderWith = (lookup: Lookup = toLoopback, options: Partial<SenderOptions> = {}): Sender =>
    keep(
      createSender({
        target: createWebhookTarget({ allow: parseAllowList('127.0.0.0/8'), lookup }),
        clock: systemClock,
        timeoutMs: 2000,
        ...options,
      }),
    );
  const hasty = () => senderWith(toLoopback, { timeoutMs: 150 });
  const receiver = async (answer: Answer): Promise<Receiver> => keep(await startReceiver(answer));
  const raw = async (...speak: Parameters<typeof startRawReceiver>): Promise<Receiver> =>
    keep(await startRawReceiver(...speak));
  const at = ({ port }: Receiver, host = '127.0.0.1') => messageTo(`http://${host}:${port}/in?a=1`);
  const status =
    (code: number): Answer =>
    (response) =>
      response.writeHead(code).end('thank you');

  it('posts the very bytes, signed by every secret at the time of sending, and nothing that is not needed', async () => {
    const now = new Date('2026-03-01T12:00:00.900Z');
    const one = await receiver(status(200));
    const sender = senderWith(toLoopback, { clock: { now: () => now } });
    const { result, timings } = await sender.send(at(one, 'receiver.test'));
    expect(result).to.deep.equal({ outcome: 'succeeded', responseStatus: 200 });
    const [seen] = one.received;
    const { body } = messageTo('');
    expect(seen).to.include({ path: '/in?a=1', body });
    const t = 1772366400;
    const signed = secrets.map(
      (secret) => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
    );
    expect(seen?.headers).to.deep.equal({
      host: `receiver.test:${one.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-service-signature': [`t=${t}`, ...signed].join(),
      'x-service-event-id': 'c0ffee00-0000-4000-8000-000000000001',
      'x-service-event-type': 'session.completed',
      'user-agent': 'Service-Webhooks/1',
    });
    expect(Object.values(timings).every((each) => Number.isInteger(each))).to.equal(true);
  });

  for (const code of [200, 204, 299, 300, 302, 404, 500, 599])
    it(`takes ${code} for a ${code < 300 ? 'success' : 'failure'}`, async () => {
      const elsewhere = await receiver(status(200));
      const one = await receiver((response) => {
        response.writeHead(code, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
      });
      const { result } = await senderWith().send(at(one));
      expect(result).to.deep.equal(
        code < 300
          ? { outcome: 'succeeded', responseStatus: code }
          : { outcome: 'failed', responseStatus: code, error: null },
      );
      expect(elsewhere.received).to.deep.equal([]);
    });

  const slowly = (text: string) => (answer: (piece: string) => void) => {
    const pieces = text.split('');
    const timer = setInterval(() => {
      const piece = pieces.shift();
      if (piece === undefined) clearInterval(timer);
      else answer(piece);
    }, 20);
    return timer;
  };
  const failing = {
    'a receiver that hangs': ['timeout', () => undefined],
    'a receiver that drips its headers': [
      'timeout',
      (socket) => {
        const timer = slowly(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200)}`)((piece) => socket.write(piece));
        socket.on('close', () => clearInterval(timer));
      },
    ],
    'a receiver that resets the connection': [
      'connection_closed',
      (socket) => socket.on('data', () => socket.resetAndDestroy()),
    ],
    'a receiver that closes without an answer': [
      'connection_closed',
      (socket) => socket.on('data', () => socket.end()),
    ],
    'what is no HTTP': [
      'invalid_response',
      (socket) => socket.on('data', () => socket.end('hello?\r\n\r\n')),
    ],
    'headers without an end': [
      'invalid_response',
      (socket) => socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`)),
    ],
  } satisfies Record<string, [string, Parameters<typeof startRawReceiver>[0]]>;
  for (const [what, [error, speak]] of Object.entries(failing))
    it(`gives ${what} up as ${error}, in time`, async () => {
      const one = await raw(speak);
      const begunAt = performance.now();
      const { result } = await hasty().send(at(one));
      expect(result).to.deep.equal({ outcome: 'failed', responseStatus: null, error });
      expect(performance.now() - begunAt).to.be.below(1500);
    });

  it('is decided by the status line, however slow the body is, and waits for that no longer than the limit', async () => {
    const one = await raw((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n'));
      const timer = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const { result, timings } = await hasty().send(at(one));
    expect(result).to.deep.equal({ outcome: 'succeeded', responseStatus: 200 });
    expect(timings.totalMs).to.be.within(140, 1500);
  });

  it('drops the connection of a receiver whose answer is too long', async () => {
    let sent = 0;
    let isDropped = false;
    const one = await receiver((response) => {
      response.writeHead(200).on('close', () => (isDropped = true));
      const more = () => {
        while (!isDropped && response.write('x'.repeat(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    const { result } = await senderWith().send(at(one));
    expect(result).to.deep.equal({ outcome: 'succeeded', responseStatus: 200 });
    await until(() => isDropped);
    expect(sent).to.be.below(10_000_000);
  });

  it('passes over interim answers', async () => {
    const one = await receiver((response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeHead(201).end();
    });
    expect((await senderWith().send(at(one))).result).to.include({ responseStatus: 201 });
  });

  it('uses an open connection again, for one request after the other', async () => {
    const one = await receiver(status(200));
    const sender = senderWith();
    const first = await sender.send(at(one));
    await settled();
    const second = await sender.send(at(one));
    expect(one.received).to.have.length(2);
    expect(one.connections()).to.equal(1);
    expect(first.timings.connectMs).to.be.a('number');
    expect(second.timings.connectMs).to.equal(null);
  });

  it('never has two requests on one connection', async () => {
    const underWay = new Map<number | undefined, number>();
    let most = 0;
    const one = await receiver((response, { connection }) => {
      underWay.set(connection, (underWay.get(connection) ?? 0) + 1);
      most = Math.max(most, underWay.get(connection) ?? 0);
      setTimeout(() => {
        underWay.set(connection, (underWay.get(connection) ?? 0) - 1);
        response.end();
      }, 5);
    });
    const sender = senderWith();
    const sent = await Promise.all(Array.from({ length: 40 }, () => sender.send(at(one))));
    expect(sent.every(({ result }) => result.outcome === 'succeeded')).to.equal(true);
    expect(most).to.equal(1);
  });

  it('does not blame the receiver for closing a connection that was waiting', async () => {
    const seen = new Set<number | undefined>();
    const one = await receiver((response, { connection }) => {
      if (seen.has(connection)) response.socket?.resetAndDestroy();
      else response.end();
      seen.add(connection);
    });
    const sender = senderWith();
    await sender.send(at(one));
    await settled();
    const again = await sender.send(at(one));
    expect(again.result).to.include({ outcome: 'succeeded' });
    expect(one.received).to.have.length(3);
  });

  it('reports a refused connection', async () => {
    const gone = await startReceiver(status(200));
    await gone.close();
    const { result } = await senderWith().send(at(gone));
    expect(result).to.deep.equal({ outcome: 'failed', responseStatus: null, error: 'connection_failed' });
  });

  it('goes on to the next address when one does not take connections', async () => {
    const one = await receiver(status(200));
    const sender = senderWith(() => Promise.resolve(['127.0.0.2', '127.0.0.1']));
    expect((await sender.send(at(one, 'receiver.test'))).result).to.include({ outcome: 'succeeded' });
  });

  it('reports a name without an address, and sends as soon as it has one again', async () => {
    const one = await receiver(status(200));
    const answers = [['127.0.0.1'], undefined, ['127.0.0.1']];
    const sender = senderWith(async () => {
      const answer = answers.shift();
      if (answer) return answer;
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    });
    const results = [];
    for (let i = 0; i < 3; i += 1) results.push((await sender.send(at(one, 'receiver.test'))).result);
    expect(results).to.deep.equal([
      { outcome: 'succeeded', responseStatus: 200 },
      { outcome: 'failed', responseStatus: null, error: 'dns_failure' },
      { outcome: 'succeeded', responseStatus: 200 },
    ]);
  });

  it('does not wait for a resolver longer than the limit', async () => {
    const sender = senderWith(() => new Promise(() => undefined), { timeoutMs: 100 });
    const { result, timings } = await sender.send(messageTo('http://receiver.test/'));
    expect(result).to.deep.equal({ outcome: 'failed', responseStatus: null, error: 'timeout' });
    expect(timings).to.include({ connectMs: null, firstByteMs: null });
  });

  it('asks a resolver once for all who wait for the same answer, and anew for the next', async () => {
    const one = await receiver(status(200));
    let asked = 0;
    const sender = senderWith(async () => {
      asked += 1;
      await settled();
      return ['127.0.0.1'];
    });
    const send = (path: string) => sender.send(messageTo(`http://receiver.test:${one.port}${path}`));
    await Promise.all(['/', '/', '/elsewhere'].map(send));
    expect(asked).to.equal(1);
    await send('/');
    expect(asked).to.equal(2);
  });

  it('refuses a name that resolves to a private address by now, open connection or not', async () => {
    const one = await receiver(status(200));
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '169.254.169.254']];
    const sender = senderWith(() => Promise.resolve(answers.shift() ?? []));
    expect((await sender.send(at(one, 'receiver.test'))).result).to.include({ outcome: 'succeeded' });
    for (let i = 0; i < 2; i += 1) {
      const { result } = await sender.send(at(one, 'receiver.test'));
      expect(result).to.deep.equal({ outcome: 'failed', responseStatus: null, error: 'address_not_allowed' });
    }
    expect(one.received).to.have.length(1);
  });

  it('shakes hands under the name of the URL at the address that was checked', async () => {
    const one = keep(await startReceiver(status(200), { isSecure: true }));
    const url = `https://receiver.test:${one.port}/`;
    const trusting = senderWith(toLoopback, { ca: certificate });
    expect((await trusting.send(messageTo(url))).result).to.include({ outcome: 'succeeded' });
    expect(one.received[0]?.headers.host).to.equal(`receiver.test:${one.port}`);
    const tlsFailure = { outcome: 'failed', responseStatus: null, error: 'tls_failure' };
    const misnamed = `https://other.test:${one.port}/`;
    expect((await trusting.send(messageTo(misnamed))).result).to.deep.equal(tlsFailure);
    expect((await senderWith().send(messageTo(url))).result).to.deep.equal(tlsFailure);
    const plain = await receiver(status(200));
    const notTls = messageTo(`https://receiver.test:${plain.port}/`);
    expect((await trusting.send(notTls)).result).to.deep.equal(tlsFailure);
  });
});
