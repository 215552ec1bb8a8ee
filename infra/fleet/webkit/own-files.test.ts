import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { failure } from './testing/browser.ts';
import { openOwnFile, readOwnFile } from './own-files.ts';

describe('a file that a browser has written', () => {
  const around = tempDir('own-files');
  const own = join(around, 'own');
  mkdirSync(join(own, 'directory'), { recursive: true });
  writeFileSync(join(around, 'secret'), 'secret');
  writeFileSync(join(own, 'a.txt'), 'content');
  symlinkSync('../secret', join(own, 'link'));
  symlinkSync(own, join(around, 'other'));
  linkSync(join(own, 'a.txt'), join(own, 'b.txt'));
  // Opening a fifo blocks until another process opens it for writing.
  execFileSync('mkfifo', [join(own, 'fifo')]);

  writeFileSync(join(own, 'hole'), '');
  truncateSync(join(own, 'hole'), 100e9);
  const socket = createServer().listen(join(own, 'socket'));
  after(() => socket.close());

  const read = async (directory: string, name: string) => {
    const file = await openOwnFile(directory, name);
    const content = await file?.readFile('utf8');
    await file?.close();
    return content;
  };

  it('is opened by its name', async () => {
    expect(await read(own, 'a.txt')).to.equal('content');
    expect(await read(own, 'b.txt')).to.equal('content');
  });

  for (const name of ['link', 'fifo', 'socket', 'directory', '../secret', '..', '.', '', 'missing'])
    it(`is never what ${name === '' ? 'an empty name' : name} leads to`, async () => {
      expect(await read(own, name)).to.equal(undefined);
    });

  it('is read whole up to the limit, and only if it is a plain file', async () => {
    expect((await readOwnFile(own, 'a.txt', 7)).toString()).to.equal('content');
    expect(await failure(readOwnFile(own, 'a.txt', 6))).to.include({
      kind: 'page',
      category: 'result_too_large',
    });
    for (const name of ['link', 'fifo'])
      expect(await failure(readOwnFile(own, name, 7))).to.include({ kind: 'driver' });
  });

  it('has its size checked first: a sparse file of 100 GB takes no memory', async () => {
    const { rss } = process.memoryUsage();
    expect(await failure(readOwnFile(own, 'hole', 33e6))).to.include({ category: 'result_too_large' });
    expect(process.memoryUsage().rss - rss).to.be.below(50e6);
  });

  it('is the one that was opened, even when another takes its place', async () => {
    writeFileSync(join(own, 'swapped'), 'content');
    const file = await openOwnFile(own, 'swapped');
    symlinkSync('../secret', join(own, 'instead'));
    renameSync(join(own, 'instead'), join(own, 'swapped'));
    expect(await file?.readFile('utf8')).to.equal('content');
    await file?.close();
    expect(await read(own, 'swapped')).to.equal(undefined);
  });

  it('is never found through a link to a directory', async () => {
    expect(await read(join(around, 'other'), 'a.txt')).to.equal(undefined);
  });
});
