import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { pino } from 'pino';
import { Pool } from 'undici';
import { WebSocketServer, WebSocket } from 'ws';
import { until } from '../verification/testbed/index.ts';
import { createVideoProxy } from './video.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const urlOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('live view through the gateway', () => {
  let write: Server;
  let node: Server;
  let gateway: Server;
  let pool: Pool;
  let videoProxy: ReturnType<typeof createVideoProxy>;
  let asked: { path: string; body: string }[];
  let reached: IncomingMessage[];
  let answer: (path: string) => Answer | Promise<Answer>;
  const sockets = new WebSocketServer({ noServer: true });

  beforeEach(async () => {
    [asked, reached] = [[], []];
    node = await listening(
      createServer().on('upgrade', (request, socket, head) => {
        reached.push(request);
        sockets.handleUpgrade(request, socket, head, (opened) => {
          opened.on('message', (data, isBinary) => opened.send(data, { binary: isBinary }));
        });
      }),
    );
    answer = () => ({
      status: 200,
      text: JSON.stringify({ url: `http://${urlOf(node)}`, token: 'of-the-node' }),
    });
    write = await listening(
      createServer((request, reply) => {
        void text(request).then(async (body) => {
          const path = request.url ?? '';
          asked.push({ path, body });
          const given = await answer(path);
          reply.writeHead(given.status, given.headers).end(given.text);
        });
      }),
    );
    const writeUrl = `http://${urlOf(write)}`;
    pool = new Pool(writeUrl);
    const logger = pino({ level: 'silent' });
    videoProxy = createVideoProxy({
      write: pool,
      writeUrl,
      tls: undefined,
      logger,
      trustForwarded: true,
      stayMs: 20,
    });
    gateway = await listening(
      createServer((request, reply) => {
        if (!videoProxy.answers(request, reply)) reply.writeHead(418).end();
      }).on('upgrade', (request, socket, head) => {
        if (!videoProxy.upgrade(request, socket, head)) socket.destroy();
      }),
    );
  });
  afterEach(async () => {
    videoProxy.drain();
    await videoProxy.close();
    await pool.destroy();
    for (const server of [gateway, write, node]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const socket = (path: string, address = '192.0.2.1') =>
    new WebSocket(`ws://${urlOf(gateway)}${path}`, { headers: { 'x-forwarded-for': address } });
  const refusal = async (path: string, address?: string): Promise<Answer> => {
    const opened = socket(path, address);
    opened.on('error', () => undefined);
    const [, reply] = (await once(opened, 'unexpected-response')) as [unknown, IncomingMessage];
    return { status: reply.statusCode ?? 0, text: await text(reply) };
  };

  /** `Retry-After` of a refused join, and of the same validation without a join. */
  const retryAfter = async () => {
    const opened = socket('/video/rtc?access_token=x');
    opened.on('error', () => undefined);
    const [, reply] = (await once(opened, 'unexpected-response')) as [unknown, IncomingMessage];
    reply.resume();
    const validated = await fetch(`http://${urlOf(gateway)}/video/rtc/validate?access_token=x`);
    return [reply.headers['retry-after'], validated.headers.get('retry-after')];
  };

  it('forwards a socket, with a token of the node instead of the participant’s', async () => {
    const opened = socket('/video/rtc?access_token=of-the-person&sdk=js');
    await once(opened, 'open');
    opened.send('there and back');
    const [data] = (await once(opened, 'message')) as [Buffer];
    expect(data.toString()).to.equal('there and back');
    expect(asked[0]).to.deep.equal({ path: '/internal/video/join', body: '{"token":"of-the-person"}' });
    const url = new URL(reached[0]?.url ?? '', 'http://node');
    expect([url.pathname, url.searchParams.get('access_token'), url.searchParams.get('sdk')]).to.deep.equal([
      ...['/video/rtc', 'of-the-node', 'js'],
    ]);
    expect(JSON.stringify(reached[0]?.headers)).not.to.include('of-the-person');
    opened.close();
  });
  it('ends a socket once its token has ended, but not while write-api is unavailable', async () => {
    const admitted = answer;
    const stays = [
      { status: 503, text: 'Soon.' },
      { status: 200, text: '{}' },
      { status: 401, text: 'Ended.' },
    ];
    answer = (path) =>
      path.endsWith('/stay') ? (stays.shift() ?? { status: 200, text: '{}' }) : admitted(path);
    const opened = socket('/video/frames?access_token=of-the-person');
    opened.on('error', () => undefined);
    await once(opened, 'close');
    const asks = asked.filter(({ path }) => path === '/internal/video/stay');
    expect(asks.map(({ body }) => body)).to.deep.equal(Array(3).fill('{"token":"of-the-person"}'));
  });
  it('passes on a refusal by write-api, and does not call the node', async () => {
    answer = () => ({ status: 404, text: 'There is no browser.' });
    expect(await refusal('/video/frames?access_token=x')).to.deep.equal({
      status: 404,
      text: 'There is no browser.',
    });
    expect(reached).to.deep.equal([]);
  });
  it('answers with Retry-After while unavailable, with write-api’s value if it has one', async () => {
    answer = () => ({ status: 503, text: 'In a moment.', headers: { 'retry-after': '7' } });
    expect(await retryAfter()).to.deep.equal(['7', '7']);
    answer = () => ({ status: 503, text: 'In a moment.' });
    expect(await retryAfter()).to.deep.equal(['2', '2']);
  });
  it('passes on the Retry-After of a temporary refusal by the node', async () => {
    node.removeAllListeners('upgrade').on('upgrade', (_request, opened) => {
      opened.end('HTTP/1.1 429 No\r\nRetry-After: 10\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await retryAfter()).to.deep.equal(['10', '10']);
  });
  it('answers 404 to other paths below its own', async () => {
    expect((await refusal('/video/other?access_token=x')).status).to.equal(404);
    expect((await refusal('/video/rtc/validate?access_token=x')).status).to.equal(404);
    expect(asked).to.deep.equal([]);
  });
  it('sends pages of any origin the reason why a socket was refused, without starting anything', async () => {
    answer = () => ({ status: 429, text: 'All places are taken.' });
    const reply = await fetch(`http://${urlOf(gateway)}/video/rtc/validate?access_token=x`);
    expect([reply.status, await reply.text()]).to.deep.equal([429, 'All places are taken.']);
    expect(reply.headers.get('access-control-allow-origin')).to.equal('*');
    expect(reply.headers.get('x-request-id')).to.match(/^req_/);
    expect(asked.map(({ path }) => path)).to.deep.equal(['/internal/video/check']);
    answer = () => ({ status: 200, text: '{}' });
    const well = await fetch(`http://${urlOf(gateway)}/video/rtc/validate?access_token=x`);
    expect([well.status, await well.text()]).to.deep.equal([200, 'success']);
    expect(reached).to.deep.equal([]);
  });
  it('validates a join with the node if the browser runs', async () => {
    const said = { 200: 'success', 404: 'Gone.', 429: 'It was put out.', 503: 'It is full.', 401: '' };
    const shown = {
      404: 'requested room does not exist: Gone.',
      401: 'Live view is temporarily unavailable. Try again soon.',
    };
    for (const [status, words] of Object.entries(said)) {
      node.removeAllListeners('upgrade').once('upgrade', (request, opened) => {
        reached.push(request);
        const length = `Content-Length: ${words.length}`;
        opened.end(`HTTP/1.1 ${status} So\r\nConnection: close\r\n${length}\r\n\r\n${words}`);
      });
      const reply = await fetch(`http://${urlOf(gateway)}/video/rtc/validate?access_token=x`);
      expect([reply.status, await reply.text()]).to.deep.equal([
        status === '401' ? 503 : Number(status),
        { ...said, ...shown }[Number(status) as 401],
      ]);
    }
    expect(reached[0]?.url).to.equal('/video/rtc/validate?access_token=of-the-node');
  });
  it('answers 503 if write-api gives an invalid answer or the node is unreachable', async () => {
    for (const given of ['nonsense', '{}', JSON.stringify({ url: 'http://127.0.0.1:1', token: 'x' })]) {
      answer = () => ({ status: 200, text: given });
      expect((await refusal('/video/rtc?access_token=x')).status, given).to.equal(503);
    }
  });
  it('passes on a refusal by the node if it concerns the participant, and answers 503 otherwise', async () => {
    const refused = { 404: 'Gone.', 429: 'It was put out.', 503: 'It is full.', 401: '', 500: 'internal' };
    const away = 'Live view is temporarily unavailable. Try again soon.';
    for (const [status, said] of Object.entries(refused)) {
      node.removeAllListeners('upgrade').once('upgrade', (_request, opened) => {
        const length = `Content-Length: ${said.length}`;
        opened.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n${length}\r\n\r\n${said}`);
      });
      const isOurs = status === '401' || status === '500';
      expect(await refusal('/video/rtc?access_token=x')).to.deep.equal({
        status: isOurs ? 503 : Number(status),
        text: isOurs ? away : said,
      });
    }
  });
  it('limits concurrent joins, which addresses take in turns', async () => {
    const held: (() => void)[] = [];
    answer = async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return { status: 404, text: 'There is no browser.' };
    };
    const join = (token: string, host: number) =>
      refusal(`/video/rtc?access_token=${token}`, `198.51.100.${host}`);
    let refused = 0;
    const many = Array.from({ length: 128 + 256 + 10 }, async () => {
      const { status } = await join('many', 1);
      if (status === 503) refused += 1;
      else expect(status).to.equal(404);
    });
    await until(async () => asked.length === 128 && refused === 10);
    const validate = `http://${urlOf(gateway)}/video/rtc/validate?access_token=x`;
    expect((await fetch(validate, { headers: { 'x-forwarded-for': '198.51.100.1' } })).status).to.equal(503);
    const other = join('other', 2);
    // Once it waits, its turn is the next or the one after.
    await until(async () => {
      held.shift()?.();
      return asked.some(({ body }) => body.includes('other'));
    });
    expect(asked.length).to.be.below(128 + 256);
    const everything = Promise.all([other, ...many]);
    await until(async () => {
      held.splice(0).forEach((answered) => answered());
      return asked.length === 128 + 256 + 1 && held.length === 0;
    });
    await everything;
    expect([(await other).status, refused]).to.deep.equal([404, 10]);
  });
  it('closes its sockets when the gateway drains', async () => {
    const opened = socket('/video/rtc?access_token=x');
    await once(opened, 'open');
    videoProxy.drain();
    await once(opened, 'close');
  });
  it('closes the connection to the node if the participant has disconnected meanwhile', async () => {
    let letIn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letIn = resolve));
    const usual = await answer('');
    answer = async () => {
      await gate;
      return usual;
    };
    const raw = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    const head = [
      'GET /video/rtc?access_token=x HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
    ];
    const rest = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    raw.write(`${[...head, ...rest].join('\r\n')}\r\n\r\n`);
    await until(async () => asked.length === 1);
    raw.destroy();
    const connections = (server: Server) =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    letIn();
    await until(async () => reached.length === 1 && (await connections(node)) === 0);
  });
});
