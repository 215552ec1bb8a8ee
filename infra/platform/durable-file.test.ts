import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../verification/testbed/index.ts';
import { replaceFile, writeDurably } from './durable-file.ts';

for (const [name, write] of Object.entries({ writeDurably, replaceFile }))
  describe(`a file that is replaced by ${name}`, () => {
    it('has the new content, for its owner alone, and nothing is beside it', async () => {
      const directory = tempDir('replaced');
      const path = join(directory, 'file');
      writeFileSync(path, 'old', { mode: 0o644 });
      await write(path, 'new');
      expect(readFileSync(path, 'utf8')).to.equal('new');
      expect(statSync(path).mode & 0o777).to.equal(0o600);
      expect(readdirSync(directory)).to.deep.equal(['file']);
    });

    it('stays as it was when it cannot be replaced, and no draft is left', async () => {
      const directory = tempDir('replaced');
      const path = join(directory, 'file');
      // A directory with content, which no file can replace.
      mkdirSync(join(path, 'kept'), { recursive: true });
      const failure: unknown = await (async () => write(path, 'new'))().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      expect(readdirSync(directory)).to.deep.equal(['file']);
      expect(readdirSync(path)).to.deep.equal(['kept']);
    });

    it('is whole when several write it at once', async () => {
      const path = join(tempDir('replaced'), 'file');
      const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(1_000_000));
      await Promise.all(texts.map(async (text) => write(path, text)));
      expect(texts).to.include(readFileSync(path, 'utf8'));
    });
  });
