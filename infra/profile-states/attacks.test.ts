import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createBrotliCompress, constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { tempDir } from '../verification/testbed/index.ts';
import {
  archiveOf,
  compressed,
  errorOf,
  inPieces,
  ownEntries,
  tarOf,
  type Entry,
} from './testing/archives.ts';
import { forge, forged, isRefused } from './testing/attacks.ts';
import { StateArchiveInvalid, inspectState, unpackState } from './index.ts';
import { unpackLimits } from './limits.ts';

const mebibyte = 1024 * 1024;

const file = (name: string, more: Partial<Entry> = {}): Entry => ({ name, content: 'x', ...more });

const ownTar = async () => (await tarOf(ownEntries)).subarray(0, -1024);
const withTail = async (tail: Buffer) => inPieces(compressed(Buffer.concat([await ownTar(), tail])), 65_536);

/** Compressed while it is read. */
const streamed = (tar: AsyncIterable<Buffer>) =>
  Readable.from(tar).pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }));

/** Content of an entry, for the types that may have some: the packer waits for it. */
const contentOf = (type: string) => (type === 'contiguous-file' ? { content: 'x' } : {});

describe('an archive made by an attacker', () => {
  for (const path of [
    'data/../../escaped',
    '../escaped',
    'data/..',
    '/etc/cron.d/escaped',
    '//escaped',
    'data//x',
    'data/./x',
    './data/x',
    'data\\..\\..\\escaped',
    'C:\\escaped',
    'data/a\u0001b',
    'elsewhere',
    'Data/x',
    'data',
    `data/${'d/'.repeat(40)}x`,
    `data/${'n'.repeat(256)}`,
    `data/${'long/'.repeat(300)}x`,
  ])
    it(`has no file at ${JSON.stringify(path.slice(0, 40))}`, () => isRefused(() => archiveOf([file(path)])));

  it('has no path with a NUL, not in an extended header either', () =>
    isRefused(async () => {
      const pax = { path: 'data/a\0/../../escaped' };
      return archiveOf([{ ...file('data/x'), pax }]);
    }));

  it('has no path that an extended header puts in the place of a good one', () =>
    isRefused(() => archiveOf([{ ...file('data/good'), pax: { path: '../escaped' } }])));

  it('has no path that a GNU long name puts in the place of a good one', () =>
    isRefused(async () => {
      const name = Buffer.alloc(512);
      name.write('../../escaped');
      const long = await forged((header) => {
        header.write('00000001000\0', 124);
        header.write('L', 156);
      }, name);
      return withTail(Buffer.concat([long, await tarOf([file('data/good')])]));
    }));

  for (const type of [
    'symlink',
    'link',
    'character-device',
    'block-device',
    'fifo',
    'directory',
    'contiguous-file',
  ] as const)
    it(`has no ${type} in it`, () =>
      isRefused(() => archiveOf([{ name: 'data/x', type, linkname: '/etc/passwd', ...contentOf(type) }])));

  for (const flag of ['S', 'V', 'M', 'D', 'Z'])
    it(`has nothing of type ${flag}: sparse, labels, volumes`, () =>
      isRefused(async () => withTail(await forged((header) => header.write(flag, 156)))));

  it('has no file twice', () => isRefused(() => archiveOf([file('data/x'), file('data/x')])));
  it('has no manifest twice', () => isRefused(() => archiveOf([...ownEntries])));
  it('has no file where a folder is', () => isRefused(() => archiveOf([file('data/x/y'), file('data/x')])));
  it('has no folder where a file is', () => isRefused(() => archiveOf([file('data/x'), file('data/x/y')])));

  it('with a million files is refused at the first that is too many', async () => {
    const one = await tarOf([file('data/0000000')]);
    const content = one.subarray(512, 1024);
    const nth = (n: number) =>
      forge(one, (header) => header.write(`data/${String(n).padStart(7, '0')}`), content);
    for (const take of [
      inspectState,
      (archive: AsyncIterable<Buffer>) => unpackState(archive, tempDir('attack')),
    ]) {
      let made = 0;
      const many = async function* () {
        yield await ownTar();
        for (; made < 1_000_000; made += 100)
          yield Buffer.concat(Array.from({ length: 100 }, (_, n) => nth(made + n)));
      };
      expect(await errorOf(take(streamed(many())))).to.be.instanceOf(StateArchiveInvalid);
      expect(made).to.be.within(unpackLimits.files, 2 * unpackLimits.files);
    }
  });

  it('that decompresses to a thousand times its size is refused at the limit, in bounded memory', async () => {
    const size = 3 * 1024 * mebibyte;
    const zeros = Buffer.alloc(mebibyte);
    const bomb = async function* () {
      yield await ownTar();
      yield await forged(
        (header) => header.write(`${size.toString(8).padStart(11, '0')}\0`, 124),
        Buffer.alloc(0),
      );
      for (let n = 0; n < size / mebibyte; n += 1) yield zeros;
    };
    await isRefused(() => streamed(bomb()));
    const hidden = async function* () {
      yield await ownTar();
      for (let n = 0; n < size / mebibyte; n += 1) yield zeros;
    };
    await isRefused(() => streamed(hidden()));
  });

  it('in many files, each of them small enough, is refused where their sum is too much', async () => {
    const limits = {
      files: 100,
      unpackedBytes: mebibyte,
      ownBytes: { 'manifest.json': 1000, 'cookies.json': 1000, 'session-storage.json': 1000 },
      besideStrings: 1000,
    };
    const entries = Array.from({ length: 20 }, (_, n) =>
      file(`data/${n}`, { content: Buffer.alloc(100_000) }),
    );
    expect(await errorOf(inspectState(await archiveOf(entries), limits))).to.be.instanceOf(
      StateArchiveInvalid,
    );
  });

  it('that says a file is larger than all may be is refused before any of it is written', async () => {
    const directory = tempDir('attack');
    const huge = await forged((header) => {
      header[124] = 0x80;
      header.fill(0xff, 125, 136);
    });
    expect(await errorOf(unpackState(await withTail(huge), directory))).to.be.instanceOf(StateArchiveInvalid);
    expect(readdirSync(join(directory, 'data'))).to.deep.equal([]);
  });

  it('with a file of negative size is refused', () =>
    isRefused(async () => withTail(await forged((header) => header.fill(0xff, 124, 135)))));

  for (const type of ['x', 'g', 'L', 'K'])
    it(`with a header of type ${type} of gigabytes is refused`, () =>
      isRefused(async () =>
        withTail(
          await forged(
            (header) => {
              header.write('17777777777\0', 124);
              header.write(type, 156);
            },
            Buffer.alloc(8 * mebibyte),
          ),
        ),
      ));

  it('with headers that no file follows is refused after a few of them', () =>
    isRefused(async () => {
      const pax = await forged(
        (header) => {
          header.write('00000000020\0', 124);
          header.write('x', 156);
        },
        Buffer.concat([Buffer.from('16 comment=abcd\n'), Buffer.alloc(496)]),
      );
      const endless = async function* () {
        yield await ownTar();
        for (let n = 0; n < 1_000_000; n += 1) yield pax;
      };
      return streamed(endless());
    }));

  it('that is cut anywhere is refused', async () => {
    const whole = compressed(await tarOf([...ownEntries, file('data/x', { content: 'y'.repeat(5000) })]));
    for (let length = 0; length < whole.length; length += 7)
      expect(await errorOf(inspectState(inPieces(whole.subarray(0, length))))).to.be.instanceOf(
        StateArchiveInvalid,
      );
  });

  it('whose tar is cut within a file is refused', () =>
    isRefused(async () => {
      const tar = await tarOf([...ownEntries, file('data/x', { content: 'y'.repeat(5000) })]);
      return inPieces(compressed(tar.subarray(0, -3000)));
    }));

  it('with garbage behind its end is refused', () =>
    isRefused(async () =>
      inPieces(Buffer.concat([compressed(await tarOf(ownEntries)), Buffer.from('garbage')])),
    ));

  it('with another archive behind its end is refused', () =>
    isRefused(async () =>
      inPieces(Buffer.concat([compressed(await tarOf(ownEntries)), compressed(await tarOf(ownEntries))])),
    ));

  it('of another compression, or of none, is refused', async () => {
    const tar = await tarOf(ownEntries);
    await isRefused(() => inPieces(gzipSync(tar)));
    await isRefused(() => inPieces(tar));
    await isRefused(() => inPieces(Buffer.alloc(0)));
    await isRefused(() => inPieces(compressed(Buffer.from('no tar at all'.repeat(100)))));
  });

  const own = (changes: Record<string, string | undefined>): Entry[] =>
    ownEntries.flatMap((entry) => {
      if (!(entry.name in changes)) return [entry];
      const content = changes[entry.name];
      return content === undefined ? [] : [{ ...entry, content }];
    });
  const refusedOwn = (changes: Record<string, string | undefined>) =>
    isRefused(async () => inPieces(compressed(await tarOf(own(changes))), 65_536));

  for (const path of ['manifest.json', 'cookies.json', 'session-storage.json'])
    it(`without ${path} is refused`, () => refusedOwn({ [path]: undefined }));

  it('of another format or version is refused', async () => {
    await refusedOwn({ 'manifest.json': '{"format":"service-profile-state/2","engine":"x"}' });
    await refusedOwn({ 'manifest.json': '{"engine":"x"}' });
    await refusedOwn({ 'manifest.json': 'null' });
    await refusedOwn({ 'manifest.json': '{' });
  });

  for (const cookies of [
    '{}',
    'null',
    '[1]',
    '[{"name":"a"}]',
    '[{"name":"a","value":1,"domain":"b"}]',
    '['.repeat(100_000),
  ])
    it(`with cookies that are ${cookies.slice(0, 40)} is refused`, () =>
      refusedOwn({ 'cookies.json': cookies }));

  for (const sessions of ['[]', '{"https://a":1}', '{"https://a":{"k":1}}', '"x"'])
    it(`with session storage that is ${sessions} is refused`, () =>
      refusedOwn({ 'session-storage.json': sessions }));

  it('with gigantic cookies is refused before they are parsed', () =>
    refusedOwn({ 'cookies.json': `[${' '.repeat(9 * mebibyte)}]` }));

  it('with session storage of a million sites is refused before it is parsed', () => {
    const sites = Array.from({ length: 1_000_000 }, (_, n) => `"a://${n.toString(36)}":{"":""}`);
    const entries = own({ 'session-storage.json': `{${sites.join()}}` });
    return isRefused(async () => streamed(inPieces(await tarOf(entries), 65_536)));
  });

  it('cannot name a prototype in session storage', async () => {
    const sessions = '{"__proto__":{"polluted":"yes"},"constructor":{"polluted":"yes"}}';
    await inspectState(inPieces(compressed(await tarOf(own({ 'session-storage.json': sessions })))));
    expect('polluted' in {}).to.equal(false);
  });

  it('whose reading fails is not called invalid: the error is the reader’s', async () => {
    const whole = compressed(await tarOf([...ownEntries, file('data/x', { content: 'y'.repeat(5000) })]));
    const failing = async function* () {
      yield whole.subarray(0, 50);
      throw new RangeError('The store went away.');
    };
    expect(await errorOf(inspectState(failing()))).to.be.instanceOf(RangeError);
  });
});
