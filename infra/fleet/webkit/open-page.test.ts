import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { limitsOf } from '../node/driver.ts';
import { Uploads } from '../node/uploads.ts';
import type { Instance } from './instance.ts';
import { openPage } from './open-page.ts';

/** A page whose host writes what it was asked for, each time something else, and answers, when `write` is called. */
function pageOf(directory: string) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const idle = new Promise<void>((resolve) => answers.push(resolve));
  let written = 0;
  const host: Pick<Instance['host'], 'send' | 'idle'> = {
    send: (_command, input, signal) => {
      asked.push((input as { readonly path: string }).path);
      return new Promise((resolve, reject) => {
        answers.push(() => resolve(null));
        signal?.addEventListener('abort', () => reject(new Error('Too late.')));
      });
    },
    idle: () => idle,
  };
  const write = async () => {
    for (const path of asked) await writeFile(path, String((written += 1)));
    for (const answer of answers) answer();
  };
  const instance = { directory, host } as unknown as Instance;
  return { page: openPage(instance, new Uploads(tempDir('uploads'))), asked, write };
}

describe('a picture of a page', () => {
  it('is its own, even if others are taken at the same time, and leaves no file', async () => {
    const directory = tempDir('pictures');
    const { page, asked, write } = pageOf(directory);
    const first = page.picture([], limitsOf(10_000));
    const both = Promise.all([first, page.picture([], limitsOf(10_000))]);
    await until(() => asked.length === 2);
    await write();
    expect((await both).map(String)).to.deep.equal(['1', '2']);
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('leaves no file if it is written too late', async () => {
    const directory = tempDir('pictures');
    const { page, write } = pageOf(directory);
    const late: unknown = await page.picture([], limitsOf(20)).catch((error: unknown) => error);
    expect(late).to.have.nested.property('failure.kind', 'timeout');
    await write();
    await until(() => readdirSync(directory).length === 0);
  });
});
