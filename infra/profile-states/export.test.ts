import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { expect } from 'chai';
import { bufferOf, errorOf, inPieces } from './testing/archives.ts';
import { ExportInvalid, keysOf, openExport, sealExport } from './index.ts';

const passphrase = 'correct horse battery staple';
const sealed = (content: Buffer, by = passphrase) =>
  bufferOf(sealExport(inPieces(content, 10_007), { passphrase: by }));
const opened = (file: Buffer, by = passphrase) => bufferOf(openExport(inPieces(file, 7), keysOf(by)));
const headBytes = 'service-profile/1\n'.length + 16;

describe('an export file', () => {
  for (const size of [0, 1, 65_536, 200_000])
    it(`of ${size} bytes opens with its passphrase`, async () => {
      const content = randomBytes(size);
      expect((await opened(await sealed(content))).equals(content)).to.equal(true);
    });

  it('opens however the letters of the passphrase are composed', async () => {
    const file = await sealed(Buffer.from('x'), 'caf\u00e9');
    expect(String(await opened(file, 'cafe\u0301'))).to.equal('x');
  });

  it('differs each time, and says what it is in its first line', async () => {
    const [one, other] = [await sealed(Buffer.from('x')), await sealed(Buffer.from('x'))];
    expect(one.equals(other)).to.equal(false);
    expect(one.toString('latin1').startsWith('service-profile/1\n')).to.equal(true);
  });

  it('does not open with another passphrase', async () => {
    expect(await errorOf(opened(await sealed(randomBytes(10)), 'another'))).to.be.instanceOf(ExportInvalid);
  });

  it('does not open where a byte is changed, cut or added, wherever that is', async () => {
    const file = await sealed(randomBytes(70_000));
    for (const at of [0, 16, 18, headBytes - 1, headBytes, 66_000, file.length - 1]) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await errorOf(opened(changed))).to.be.instanceOf(ExportInvalid);
    }
    for (const length of [headBytes, headBytes + 15, headBytes + 65_552, file.length - 1])
      expect(await errorOf(opened(file.subarray(0, length)))).to.be.instanceOf(ExportInvalid);
    expect(await errorOf(opened(Buffer.concat([file, Buffer.from('x')])))).to.be.instanceOf(ExportInvalid);
  });

  it('of another version, or no export at all, is refused before anything is derived from the passphrase', async () => {
    const other = await sealed(randomBytes(10));
    other.write('service-profile/2\n');
    for (const file of [other, Buffer.alloc(0), other.subarray(0, headBytes - 1), randomBytes(1000)]) {
      const before = process.cpuUsage();
      expect(await errorOf(opened(file))).to.be.instanceOf(ExportInvalid);
      expect(process.cpuUsage(before).user).to.be.below(50_000);
    }
  });

  it('whose reading fails is not called invalid: the error is the reader’s', async () => {
    const file = await sealed(randomBytes(100));
    const failing = async function* () {
      yield file.subarray(0, 60);
      throw new RangeError('The disk went away.');
    };
    expect(await errorOf(bufferOf(openExport(failing(), keysOf(passphrase))))).to.be.instanceOf(RangeError);
  });

  it('is opened again with the key of the first time', async () => {
    const keyOf = keysOf(passphrase);
    const salt = randomBytes(16);
    expect(keyOf(salt)).to.equal(keyOf(Buffer.from(salt)));
    expect(await keyOf(salt)).not.to.deep.equal(await keyOf(randomBytes(16)));
  });

  it('leaves the thread pool to others, however many are opened at once', async () => {
    const ended: string[] = [];
    const keys = Array.from({ length: 6 }, () => keysOf(passphrase)(randomBytes(16)));
    const derived = keys.map((key) => key.then(() => ended.push('key')));
    await new Promise(setImmediate);
    await Promise.all([stat('.').then(() => ended.push('file')), ...derived]);
    expect(ended[0]).to.equal('file');
  });
});
