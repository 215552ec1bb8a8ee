import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { dayMs } from '../../contracts/durations.ts';
import { tempDir } from '../verification/testbed/index.ts';
import { openDirectory } from './directory.ts';
import { BlobStoreFailed, openBlobStore } from './index.ts';
import { behavesAsStore, bytesOf, errorOf, keysOf, textOf } from './testing/store-suite.ts';

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('blobs in a directory', () => {
  behavesAsStore(async () => {
    const root = tempDir('blobs');
    const unfinished = async () => filesBelow(root).filter((file) => file.includes('.upload-'));
    return { store: await openBlobStore(pathToFileURL(root).href), unfinished };
  });

  it('are listed as none where the directory is not there yet', async () => {
    expect(await keysOf(openDirectory({ root: join(tempDir('blobs'), 'none') }))).to.deep.equal([]);
  });

  it('leave no folder behind when they are deleted', async () => {
    const root = tempDir('blobs');
    const store = openDirectory({ root });
    await store.put('profile/1-a', bytesOf('x'));
    await store.delete('profile/1-a');
    expect(readdirSync(root)).to.deep.equal([]);
  });

  it('are kept while the last of their folder is deleted again and again', async () => {
    const store = openDirectory({ root: tempDir('blobs') });
    for (let n = 0; n < 100; n += 1) {
      await store.put('profile/1-a', bytesOf('x'));
      await Promise.all([store.delete('profile/1-a'), store.put('profile/2-b', bytesOf('y'))]);
      expect(await textOf(store, 'profile/2-b')).to.equal('y');
      await store.delete('profile/2-b');
    }
  });

  it('that a dead process was writing are not listed, and removed after a day', async () => {
    const root = tempDir('blobs');
    mkdirSync(join(root, 'profile'));
    const file = join(root, 'profile', '.upload-6f8f5f36');
    writeFileSync(file, 'half');
    expect(await keysOf(openDirectory({ root }))).to.deep.equal([]);
    expect(filesBelow(root)).to.deep.equal([file]);
    const yesterday = new Date(Date.now() - dayMs - 1000);
    utimesSync(file, yesterday, yesterday);
    expect(await keysOf(openDirectory({ root }))).to.deep.equal([]);
    expect(filesBelow(root)).to.deep.equal([]);
  });

  it('cannot be kept where the directory is a file: the error names the directory and why', async () => {
    const root = join(tempDir('blobs'), 'file');
    writeFileSync(root, '');
    const error = await errorOf(openDirectory({ root }).put('profile/1-a', bytesOf('x')));
    expect(error).to.be.instanceOf(BlobStoreFailed);
    expect(String(error))
      .to.include(root)
      .and.match(/ENOTDIR|EEXIST/);
  });
});

describe('the URL of the blobs', () => {
  for (const url of ['http://bucket/x', 's3://bucket/x?endpont=http://y', 'nonsense'])
    it(`is refused where it is ${url}`, async () => {
      expect(await errorOf(openBlobStore(url))).to.be.instanceOf(Error);
    });
});
