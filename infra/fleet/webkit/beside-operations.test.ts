import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { limitsOf, type Hands } from '../node/driver.ts';
import { Uploads } from '../node/uploads.ts';
import { shape } from '../shape.ts';
import { Type } from '../../../contracts/schema.ts';
import { mostUnanswered } from './beside-operations.ts';
import { failure } from './testing/browser.ts';
import { webKitHands } from './hands.ts';
import { listenForHost, type HostChannel } from './host-channel.ts';
import type { Instance } from './instance.ts';
import { openPage } from './open-page.ts';
import type { Page } from './page.ts';

interface Asked {
  readonly id: number;
  readonly command: string;
  readonly input: { readonly script: string };
}

describe('a page whose script does not end', () => {
  let host: Socket;
  let channel: HostChannel;
  let page: Page;
  let hands: Hands;
  /** Unanswered commands for the page's script. */
  let left: Asked[];
  /** Commands that the caller gave up. */
  let cancelled: number;
  /** Commands that passed a person's input to the display. */
  let passed: number;

  const answer = ({ id }: Asked, result: unknown) => {
    const body = Buffer.from(JSON.stringify({ id, result }));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    host.write(Buffer.concat([head, body]));
  };
  beforeEach(async () => {
    [left, cancelled, passed] = [[], 0, 0];
    const path = join(tempDir('line'), 'host.sock');
    const line = await listenForHost(path, 5_000);
    host = connect(path);
    let rest = '';
    host.setEncoding('utf8').on('data', (part: string) => {
      const lines = `${rest}${part}`.split('\n');
      rest = lines.pop() ?? '';
      for (const each of lines) hear(JSON.parse(each) as Asked | { readonly cancel: number });
    });
    channel = await line.connected;
    const instance = { host: channel, during: (work: () => unknown) => work() } as unknown as Instance;
    page = openPage(instance, new Uploads(tempDir('uploads')));
    hands = webKitHands(instance, page, { width: 390, height: 664 });
  });
  afterEach(() => {
    channel.close();
    host.destroy();
  });
  const hear = (said: Asked | { readonly cancel: number }) => {
    if ('cancel' in said) cancelled += 1;
    else if (said.command === 'run') left.push(said);
    else {
      passed += 1;
      answer(said, null);
    }
  };
  const press = () =>
    hands.keyDown('a', []).then(
      () => true,
      () => false,
    );

  it('is asked for no more than a number of answers, whatever a person types, and gets no key that it could not be asked about', async () => {
    const pressed = await Promise.all(Array.from({ length: 1_000 }, press));
    expect(pressed.filter(Boolean)).to.have.length(mostUnanswered);
    await until(() => cancelled === mostUnanswered);
    expect([left.length, passed, channel.unanswered('run')]).to.deep.equal(Array(3).fill(mostUnanswered));
    expect(await failure(hands.text('a'))).to.include({ kind: 'timeout' });
    expect(await failure(hands.selection())).to.include({ kind: 'timeout' });
    expect(left).to.have.length(mostUnanswered);
  });

  it('is told to forget a shortcut that it did not answer, even if too many others are unanswered then', async () => {
    await Promise.all(Array.from({ length: mostUnanswered - 2 }, press));
    expect(await failure(hands.keyDown('a', ['cmd']))).to.include({ kind: 'timeout' });
    await until(() => left.at(-1)?.input.script === 'keySeen');
  });

  it('is still asked by operations, and by people again once it has answered', async () => {
    await Promise.all(Array.from({ length: 100 }, press));
    const operation = page.run('state', null, shape(Type.Null()), limitsOf(10_000));
    await until(() => left.length > mostUnanswered);
    for (const each of left) answer(each, { value: null });
    expect(await operation).to.equal(null);
    expect(await press()).to.equal(true);
  });
});
