import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
  // Whoever opens one waits for somebody who writes.
  execFileSync('mkfifo', [join(own, 'fifo')]);

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

  for (const name of ['link', 'fifo', 'directory', '../secret', '..', '.', '', 'missing'])
    it(`is not what ${name === '' ? 'no name' : name} leads to`, async () => {
      expect(await read(own, name)).to.equal(undefined);
    });

  it('is read whole where it is small enough, and not at all elsewhere', async () => {
    expect((await readOwnFile(own, 'a.txt', 7)).toString()).to.equal('content');
    expect(await failure(readOwnFile(own, 'a.txt', 6))).to.include({
      kind: 'page',
      category: 'result_too_large',
    });
    for (const name of ['link', 'fifo'])
      expect(await failure(readOwnFile(own, name, 7))).to.include({ kind: 'driver' });
  });

  it('is not in what a link to a directory leads to', async () => {
    expect(await read(join(around, 'other'), 'a.txt')).to.equal(undefined);
  });
});
