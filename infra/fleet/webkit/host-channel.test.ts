import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { HostGone, listenForHost, mostBytes, type HostChannel } from './host-channel.ts';

describe("the wait for a browser's host", () => {
  it('causes no unhandled rejection when it times out before it is awaited', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      const line = await listenForHost(join(tempDir('line'), 'host.sock'), 1);
      const passed = once(AbortSignal.timeout(50), 'abort');
      await passed;
      const failed = await line.connected.catch((error: unknown) => error);
      expect(failed).to.be.an('error');
      line.close();
    } finally {
      process.off('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
    expect(unhandled).to.deep.equal([]);
  });
});

describe("the channel to a browser's host", () => {
  let host: Socket;
  let channel: HostChannel;
  beforeEach(async () => {
    const path = join(tempDir('line'), 'host.sock');
    const line = await listenForHost(path, 5_000);
    host = connect(path);
    host.on('error', () => undefined);
    channel = await line.connected;
  });
  afterEach(() => {
    channel.close();
    host.destroy();
  });

  const say = (text: string | Buffer) => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    host.write(Buffer.concat([head, body]));
  };
  const gone = () => new Promise<void>((resolve) => channel.onGone(resolve));

  it('resolves each command with its own reply, even one with a Unicode line separator', async () => {
    const asked = channel.send('page');
    const title = 'one\u2028two\u2029three\nfour\u0000';
    say(JSON.stringify({ id: 1, result: title }));
    expect(await asked).to.equal(title);
  });

  const bad: Readonly<Record<string, string | Buffer>> = {
    'that is no JSON': '{"id":1,',
    'that is no UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    'that is neither a reply nor an event': '{"id":1,"result":null,"more":true}',
    'that is a thousand times a thousand lists deep': `{"id":1,"result":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
    'of two million empty lists': `{"id":1,"result":[${'[],'.repeat(2e6)}[]]}`,
    'without an end': Buffer.concat([Buffer.from('{"id":1,"result":"'), Buffer.alloc(1e6, 0x78)]),
  };
  for (const [what, message] of Object.entries(bad))
    it(`breaks at a message ${what}, without effect on other channels`, async () => {
      const asked = channel.send('page').catch((error: unknown) => error);
      const broken = gone();
      say(message);
      await broken;
      expect(await asked).to.be.instanceOf(HostGone);
    });

  it('breaks at the length prefix of a message that is too long', async () => {
    const broken = gone();
    const head = Buffer.alloc(4);
    head.writeUInt32BE(mostBytes + 1);
    host.write(head);
    await broken;
    if (!host.destroyed) await once(host, 'close');
  });
});
