import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { uploadLimits } from '../../../contracts/resources/live.ts';
import { toId } from '../../../contracts/ids.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { createLiveCalls } from '../control-plane/live.ts';
import { Uploads } from './uploads.ts';

const described = (size: number) => ({ name: 'a.bin', mime: 'application/x-thing', size });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  );
/** A stream that neither sends anything nor ends. */
const silent = () => new Readable({ read: () => undefined });

describe('uploads', () => {
  let directory: string;
  let uploads: Uploads;
  beforeEach(() => {
    directory = join(tempDir('uploads'), 'session');
    uploads = new Uploads(directory);
  });

  it('keep a content until they are removed', async () => {
    const { id } = await uploads.put(described(3), Readable.from([Buffer.from('a'), Buffer.from('bc')]));
    const found = uploads.find(id);
    const content = found && (await buffer(Readable.from(found.read(2))));
    expect(content?.toString()).to.equal('abc');
    await uploads.remove();
    expect(uploads.find(id)).to.equal(undefined);
    expect(existsSync(directory)).to.equal(false);
  });

  for (const [says, content] of [
    ['shorter', [Buffer.from('ab')]],
    ['longer', [Buffer.from('ab'), Buffer.from('cd')]],
  ] as const) {
    it(`store nothing of a content that is ${says} than its declared size`, async () => {
      expect(await refusal(uploads.put(described(3), Readable.from(content)))).to.include(
        'differs from its declared size',
      );
      expect(readdirSync(directory)).to.deep.equal([]);
    });
  }

  it('refuse a file above the limit of a file without reading its content', async () => {
    expect(await refusal(uploads.put(described(uploadLimits.file + 1), silent()))).to.include('64 MiB');
  });

  it('refuse a file above the limit of the session, which includes pending uploads', async () => {
    const open = Array.from({ length: uploadLimits.session / uploadLimits.file }, silent);
    const running = open.map((content) => refusal(uploads.put(described(uploadLimits.file), content)));
    expect(await refusal(uploads.put(described(1), silent()))).to.include('2048 MiB');
    open.forEach((content) => content.destroy());
    await Promise.all(running);
    // An aborted upload does not count any more.
    expect(await refusal(uploads.put(described(1), Readable.from([Buffer.from('a')])))).to.equal('taken');
  });

  it('of an account are refused above the limit of concurrent uploads, and accepted again afterwards', async () => {
    const ends: (() => void)[] = [];
    const fleet = createLiveCalls(
      () => new Promise((_resolve, reject) => ends.push(() => reject(new Error('gone')))),
    );
    const account = toId('account', randomUUID());
    const put = (from = account) => {
      const where = {
        node: toId('node', randomUUID()),
        session: toId('session', randomUUID()),
        timeoutMs: 5_000,
      };
      return fleet.putFile({ ...where, ...described(uploadLimits.file), account: from }, silent());
    };
    const running = Array.from({ length: uploadLimits.accountAtOnce / uploadLimits.file }, () => put());
    expect(await put()).to.deep.equal({
      status: 'error',
      reason: 'Concurrent uploads of an account may have at most 512 MiB together.',
    });
    const other = put(toId('account', randomUUID()));
    ends.forEach((end) => end());
    expect((await Promise.all([...running, other])).map(({ status }) => status)).to.not.include('error');
    const again = put();
    ends.at(-1)?.();
    expect((await again).status).to.equal('unavailable');
  });
});
