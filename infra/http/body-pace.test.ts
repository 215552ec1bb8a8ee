import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { After } from '../platform/clock.ts';
import { until } from '../verification/testbed/index.ts';
import { listen } from './index.ts';
import { errorsBase } from './testing.ts';

describe('A body that must keep a pace', () => {
  /** Serves one request, which announces 100,000 bytes and has sent none of them. */
  async function begin(listener: RequestListener) {
    const requests: IncomingMessage[] = [];
    let due: (() => void) | undefined;
    const after: After = (_ms, call) => {
      due = call;
      return () => (due = undefined);
    };
    let isClosed = false;
    const { port, close } = await listen(
      (request, response) => {
        requests.push(request);
        response.once('close', () => (isClosed = true));
        listener(request, response);
      },
      0,
      { errorsBase, bodyPace: { bytes: 1_000, everyMs: 30_000, after } },
    );
    // It may still send after the other side has ended.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n');
    const [request] = await until(() => requests.length > 0 && requests);
    const end = async () => {
      socket.destroy();
      await close();
    };
    return { socket, request, pass: () => due?.(), answer: () => answer, isClosed: () => isClosed, end };
  }

  const takeAll = () => {
    let taken = 0;
    const listener: RequestListener = (request, response) => {
      request.on('data', (chunk: Buffer) => (taken += chunk.length));
      request.on('end', () => response.end('taken'));
    };
    return { listener, taken: () => taken };
  };

  it('may take as long as it needs', async () => {
    const { listener, taken } = takeAll();
    const { socket, pass, answer, end } = await begin(listener);
    for (let sent = 1_000; sent < 100_000; sent += 11_000) {
      socket.write('x'.repeat(sent - taken()));
      await until(() => taken() === sent);
      pass();
    }
    socket.write('x'.repeat(100_000 - taken()));
    await once(socket, 'end');
    expect(answer()).to.match(/^HTTP\/1\.1 200 /);
    await end();
  });

  it('is refused when it falls behind, and its connection ends although the client goes on sending', async () => {
    const { listener, taken } = takeAll();
    const { socket, pass, answer, isClosed, end } = await begin(listener);
    socket.write('x'.repeat(999));
    await until(() => taken() === 999);
    pass();
    await once(socket, 'end');
    expect(answer())
      .to.match(/^HTTP\/1\.1 400 /)
      .and.to.contain('in time');
    await until(() => {
      socket.write('x');
      return isClosed();
    });
    await end();
  });

  it('is not behind while the server does not read it', async () => {
    const { socket, request, pass, answer, end } = await begin((asked, response) => {
      asked.once('end', () => response.end('taken'));
    });
    socket.write('x'.repeat(100_000));
    await until(() => request !== undefined && request.readableLength > 0);
    pass();
    pass();
    request?.resume();
    await once(socket, 'end');
    expect(answer()).to.match(/^HTTP\/1\.1 200 /);
    await end();
  });
});
