import { once } from 'node:events';
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { http2Options, superviseTunnel } from './http2.ts';

const mostBytes = 0x7fff_ffff;

/** A frame of RFC 9113, 4.1. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** What opens a stream by `CONNECT`, and lets the other end send as much as it likes. */
const opening = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), number(mostBytes)])),
  frame(8, 0, 0, number(mostBytes - 65_535)),
  frame(1, 4, 1, Buffer.from('\x02\x07CONNECT\x01\x04node', 'latin1')),
]);

describe('a tunnel whose other end takes nothing of what was written', () => {
  let server: Server;
  let socket: Socket;
  let peer: Socket;
  let session: ServerHttp2Session;
  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    socket = connect({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    [peer] = await accepted;
    session = performServerHandshake(socket, http2Options);
  });
  afterEach(() => {
    socket.destroy();
    peer.destroy();
    server.close();
  });

  it('ends when that end is silent', async () => {
    superviseTunnel(session, socket, { pingMs: 20, silenceMs: 100 });
    const opened = once(session, 'stream') as Promise<[ServerHttp2Stream]>;
    peer.write(opening);
    const [stream] = await opened;
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    // More than the buffers of both ends hold.
    stream.write(Buffer.alloc(64 * 1024 * 1024));
    await once(session, 'close', { signal: AbortSignal.timeout(10_000) });
    expect(socket.destroyed).to.equal(true);
  });
});
