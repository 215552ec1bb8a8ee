import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { gate, until } from '../verification/testbed/index.ts';
import { caller, errorsBase } from './testing.ts';
import { listen, type ListenOptions } from './index.ts';

const ok: RequestListener = (_request, response) => response.end('ok');

/** Sends raw bytes and returns everything that is received until the other side closes. */
async function exchange(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer;
}

describe('A listener', () => {
  const serve = async (listener: RequestListener, options: ListenOptions = {}) =>
    listen(listener, 0, { errorsBase, ...options });

  it('lets requests in flight finish, then stops', async () => {
    let finish = () => {};
    let started = false;
    const { port, close } = await serve((_request, response) => {
      started = true;
      finish = () => response.end('late');
    });
    const answer = caller(port)('GET /');
    await until(() => started);
    let closed = false;
    const closing = close().then(() => (closed = true));
    await expectRefused(port);
    expect(closed).to.equal(false);
    finish();
    expect((await answer).text).to.equal('late');
    await closing;
  });

  it('takes a target with the whole address as its path, and refuses one without a path', async () => {
    const { port, close } = await serve(({ method, url }, response) => response.end(`${method} ${url}`));
    const asked = (line: string) =>
      exchange(port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    for (const [line, path] of [
      ['POST http://x/v1/sessions?a=http://y/', '/v1/sessions?a=http://y/'],
      ['GET HTTPS://user@x:1?a', '/?a'],
      ['GET http://x', '/'],
      ['GET //x/y', '//x/y'],
    ] as const)
      expect(await asked(line), line)
        .to.match(/^HTTP\/1\.1 200 /)
        .and.to.include(path);
    for (const line of ['OPTIONS *', 'GET ftp://x/', 'GET http:///y'])
      expect(await asked(line), line).to.match(/^HTTP\/1\.1 400 [^]*The request target must be a path/);
    await close();
  });

  it('aborts requests that do not finish in time', async () => {
    let started = false;
    const { port, close } = await serve(() => (started = true), { closeMs: 20 });
    const answer = caller(port)('GET /').then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => started);
    await close();
    expect(await answer).to.equal('cut');
  });

  it('lets work finish whose client has left, with the connections of other protocols that it may need', async () => {
    const work = gate();
    const { port, close } = await serve(ok, { upgrade, idle: () => work.pass() });
    const socket = await upgraded(port);
    let closed = false;
    const closing = close().then(() => (closed = true));
    await work.reached;
    await expectRefused(port);
    expect([closed, socket.readyState]).to.deep.equal([false, 'open']);
    work.open();
    await Promise.all([closing, once(socket, 'close')]);
  });

  it('gives up work that does not finish in time', async () => {
    const { port, close } = await serve(ok, { upgrade, idle: () => gate().pass(), closeMs: 20 });
    const socket = await upgraded(port);
    await Promise.all([close(), once(socket, 'close')]);
  });

  it('ends a connection whose client does not read its answer, but none that waits for it', async () => {
    let isAsked = false;
    let isOver = false;
    let answerLate = () => {};
    const large = Buffer.alloc(64 * 1024 * 1024);
    const { port, close } = await serve(
      ({ url }, response) => {
        isAsked = true;
        if (url === '/late') return void (answerLate = () => response.end('late'));
        response.once('close', () => (isOver = true));
        response.end(large);
      },
      { stallMs: 100 },
    );
    const late = caller(port)('GET /late');
    await until(() => isAsked);
    // It is reset, as it has not read what was sent.
    const idle = connect(port, '127.0.0.1')
      .pause()
      .on('error', () => undefined);
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => isOver);
    answerLate();
    expect((await late).text).to.equal('late');
    idle.destroy();
    await close();
  });

  it('does not wait for idle connections to close', async () => {
    const { port, close } = await serve(ok);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    await Promise.all([close(), once(socket, 'close')]);
  });

  it('refuses a body that does not arrive in time with a problem', async () => {
    const { port, close } = await serve((request) => void request.resume(), {
      headersTimeoutMs: 30,
      requestTimeoutMs: 30,
    });
    const answer = await exchange(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"');
    expect(answer).to.match(/^HTTP\/1\.1 400 /);
    expect(answer).to.match(/X-Request-Id: req_/);
    expect(answer).to.contain(`${errorsBase}/bad-request`).and.to.contain('in time');
    await close();
  });

  it('closes a connection on which nothing arrived, without an answer that a browser would take for that to its next request', async () => {
    const { port, close } = await serve(ok, { headersTimeoutMs: 30, requestTimeoutMs: 30 });
    expect(await exchange(port, '')).to.equal('');
    expect(await exchange(port, 'GET / HT')).to.match(/^HTTP\/1\.1 400 /);
    await close();
  });

  it('answers malformed or ambiguous HTTP with a problem and closes', async () => {
    const { port, close } = await serve(ok);
    const heads = [
      'nonsense',
      'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5',
      'GET / HTTP/1.1\r\nX-Request-Id: my-request-1',
      'G ET / HTTP/1.1\r\nHost: x',
      'GET /a b HTTP/1.1\r\nHost: x',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok',
    ];
    for (const head of heads) {
      const answer = await exchange(port, `${head}\r\n\r\n`);
      expect(answer, head.slice(0, 80)).to.match(/^HTTP\/1\.1 400 /);
      expect(answer, head.slice(0, 80)).to.contain('application/problem+json').and.to.contain('X-Request-Id');
    }
    await close();
  });

  it('answers headers or a target that are too large with 431', async () => {
    const { port, close } = await serve(ok);
    const long = 'x'.repeat(20_000);
    for (const head of [`GET / HTTP/1.1\r\nHost: x\r\nA: ${long}`, `GET /${long} HTTP/1.1\r\nHost: x`]) {
      const answer = await exchange(port, `${head}\r\n\r\n`);
      expect(answer).to.match(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
      expect(answer).to.contain(`"${errorsBase}/headers-too-large"`).and.to.contain('"status":431');
    }
    await close();
  });

  it('answers a request that offers another protocol like any other, with its body, unless the offer is accepted', async () => {
    const { port, close } = await serve(
      (request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => response.end(`${request.method} ${request.url} ${body}`));
      },
      {
        upgrade: ({ url }, socket) => {
          if (url !== '/socket') return false;
          socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
          return true;
        },
      },
    );
    const offer =
      'Host: x\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nConnection: Upgrade, HTTP2-Settings, close\r\n';
    const posted = await exchange(port, `POST /a HTTP/1.1\r\n${offer}Content-Length: 5\r\n\r\nhe`, 'llo');
    expect(posted).to.match(/^HTTP\/1\.1 200 [\s\S]*POST \/a hello/);
    expect(await exchange(port, `GET /socket HTTP/1.1\r\n${offer}\r\n`)).to.match(/^HTTP\/1\.1 101 /);
    await close();
  });

  it('answers requests that are sent ahead in their order, and ends a connection with more than 32 in flight', async () => {
    let begun = 0;
    const { port, close } = await serve(({ url }, response) => {
      begun += 1;
      if (url !== '/never') response.end(`${url} `);
    });
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const paths = Array.from({ length: 31 }, (_, index) => `/${index}`);
    const answer = await exchange(
      port,
      [...paths.map((path) => get(path)), get('/last', 'Connection: close\r\n')].join(''),
    );
    expect(answer.match(/\/\w+ /g)).to.deep.equal([...paths, '/last'].map((path) => `${path} `));
    begun = 0;
    expect(await exchange(port, get('/never').repeat(40))).to.equal('');
    expect(begun, 'the others wait for their turn').to.equal(1);
    await close();
  });

  it('ends a connection that offers another protocol before the requests that it has sent ahead are answered', async () => {
    let closed = 0;
    const { port, close } = await serve((_request, response) => response.once('close', () => (closed += 1)), {
      upgrade: () => true,
    });
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const offer = get('/socket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
    expect(await exchange(port, get('/').repeat(3) + offer)).to.equal('');
    await until(() => closed === 1);
    await close();
  });

  it('serves HTTP/1.0, which has no Host', async () => {
    const { port, close } = await serve(ok);
    expect(await exchange(port, 'GET / HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
    await close();
  });

  it('fails when the port is in use', async () => {
    const { port, close } = await serve(ok);
    const error = await listen(ok, port).catch((reason: unknown) => codeOf(reason));
    expect(error).to.equal('EADDRINUSE');
    await close();
  });
});

const upgrade: ListenOptions['upgrade'] = (_request, socket) =>
  socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');

/** A connection that speaks another protocol. */
async function upgraded(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

async function expectRefused(port: number): Promise<void> {
  const refused = await caller(port)('GET /').catch((error: unknown) => codeOf(error));
  expect(refused).to.equal('ECONNREFUSED');
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error);
