import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { After } from '../../infra/platform/clock.ts';
import { exportedBody } from './exported-body.ts';

describe('the body of an export', () => {
  const content = Buffer.alloc(1_200_000, 'x');

  /** `pass`: half a minute passes. */
  function begin() {
    let due: (() => void) | undefined;
    const after: After = (_ms, call) => {
      due = call;
      return () => (due = undefined);
    };
    let isClosed = false;
    const chunks = function* () {
      for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000);
    };
    const file = {
      ...{ bytes: content.length, sha256: 'abc' },
      read: () => Readable.from(chunks(), { objectMode: false }),
      close: async () => void (isClosed = true),
    };
    const body = exportedBody(file, 'secret', after).on('error', () => undefined);
    return { body, pass: () => due?.(), isDue: () => due !== undefined, isClosed: () => isClosed };
  }

  /** Reads about so many bytes of the file. */
  async function read(body: Readable, bytes: number) {
    for (let left = (bytes / 3) * 4; left > 0;) {
      const chunk = body.read() as Buffer | null;
      if (chunk === null) await once(body, 'readable');
      else left -= chunk.length;
    }
  }

  it('has the file, which is closed at its end, and no more looks then', async () => {
    const { body, isClosed, isDue } = begin();
    const json = JSON.parse(await text(body)) as { data: string };
    expect(json).to.deep.include({ byte_size: content.length, sha256: 'abc', passphrase: 'secret' });
    expect(Buffer.from(json.data, 'base64').equals(content)).to.equal(true);
    expect([isClosed(), isDue()]).to.deep.equal([true, false]);
  });

  it('goes on while it is read fast enough to be complete after six minutes', async () => {
    const { body, pass, isClosed } = begin();
    for (let look = 1; look < 12; look += 1) {
      await read(body, 100_000);
      pass();
      expect(body.destroyed, `at look ${look}`).to.equal(false);
    }
    expect(isClosed()).to.equal(false);
    await text(body);
    expect(isClosed()).to.equal(true);
  });

  it('breaks off, and its file is closed, once its reader falls behind', async () => {
    const { body, pass, isClosed } = begin();
    await read(body, 150_000);
    pass();
    expect(body.destroyed).to.equal(false);
    pass();
    await once(body, 'close');
    expect([body.readableEnded, isClosed()]).to.deep.equal([false, true]);
  });

  it('breaks off if nothing of it is read', async () => {
    const { body, pass, isClosed } = begin();
    pass();
    await once(body, 'close');
    expect(isClosed()).to.equal(true);
  });
});
