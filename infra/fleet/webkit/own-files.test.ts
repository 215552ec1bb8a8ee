import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { openOwnFile } from './own-files.ts';

describe('a file that a browser has written', () => {
  const around = tempDir('own-files');
  const own = join(around, 'own');
  mkdirSync(join(own, 'directory'), { recursive: true });
  writeFileSync(join(around, 'secret'), 'secret');
  writeFileSync(join(own, 'a.txt'), 'content');
  symlinkSync('../secret', join(own, 'link'));
  symlinkSync(own, join(around, 'other'));
  linkSync(join(own, 'a.txt'), join(own, 'b.txt'));

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

  for (const name of ['link', 'directory', '../secret', '..', '.', '', 'missing'])
    it(`is not what ${name === '' ? 'no name' : name} leads to`, async () => {
      expect(await read(own, name)).to.equal(undefined);
    });

  it('is not in what a link to a directory leads to', async () => {
    expect(await read(join(around, 'other'), 'a.txt')).to.equal(undefined);
  });
});
