import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { StateNotLeft } from '../node/driver.ts';
import { removeDirectory } from './instance.ts';
import { leaveState } from './state.ts';

/** A browser that has written these files, and says that it has so much. */
function browserWith(files: Readonly<Record<string, string>>, held: unknown) {
  const directory = tempDir('browser');
  const state = join(directory, 'state');
  for (const [path, content] of Object.entries({ ...empty, ...files })) {
    mkdirSync(join(state, path, '..'), { recursive: true });
    writeFileSync(join(state, path), content);
  }
  writeFileSync(join(directory, 'output'), 'what it said');
  const instance = {
    directory,
    host: { send: () => Promise.resolve(held) },
    end: () => Promise.resolve(),
    close: () => removeDirectory(directory),
  };
  return { directory, state, instance };
}
const empty = { 'cookies.json': '[]', 'session-storage.json': '{}' };
const cookie = JSON.stringify([{ domain: 'example.test', name: 'a', value: 'b' }]);

const reasonOf = (left: Promise<unknown>) =>
  left.then(
    () => 'left',
    (error: unknown) => (error instanceof StateNotLeft ? error.reason : error),
  );

describe('the state that a browser leaves', () => {
  it('is degenerate when the files have nothing of what the browser has', async () => {
    for (const [files, held] of [
      [{}, { cookies: 3, sites: 0 }],
      [{ 'cookies.json': cookie }, { cookies: 1, sites: 2 }],
    ] as const) {
      const { directory, instance } = browserWith(files, held);
      expect(await reasonOf(leaveState(instance))).to.equal('degenerate_dump');
      expect(existsSync(directory)).to.equal(false);
    }
  });

  it('may be empty when the browser has nothing: its customer has cleared it', async () => {
    const { instance } = browserWith({}, { cookies: 0, sites: 0 });
    expect((await leaveState(instance)).census).to.include({ cookies: 0, origins: 0 });
  });

  it('is none when the browser says nothing that can be understood, or its files are none of ours', async () => {
    for (const [files, held] of [
      [{}, null],
      [{ 'cookies.json': '{}' }, { cookies: 0, sites: 0 }],
    ] as const) {
      const { directory, instance } = browserWith(files, held);
      expect(await reasonOf(leaveState(instance))).to.equal('serialize_failed');
      expect(existsSync(directory)).to.equal(false);
    }
  });

  it('is all that stays of the browser, and follows no link that a page’s process has made', async () => {
    const { directory, state, instance } = browserWith({ 'data/cache/a/b': 'c' }, { cookies: 0, sites: 1 });
    const outside = join(tempDir('outside'), 'file');
    writeFileSync(outside, 'the node’s own');
    symlinkSync(outside, join(state, 'manifest.json'));
    const left = await leaveState(instance);
    expect(readdirSync(directory)).to.deep.equal(['state']);
    expect(readFileSync(outside, 'utf8')).to.equal('the node’s own');
    expect(JSON.parse(readFileSync(join(state, 'manifest.json'), 'utf8'))).to.include({
      engine: 'webkitgtk',
    });
    await left.remove();
    expect(existsSync(directory)).to.equal(false);
  });

  it('is none when it would be read from elsewhere', async () => {
    for (const linked of ['state', 'state/data']) {
      const { directory, instance } = browserWith({ 'data/cache/a/b': 'c' }, { cookies: 0, sites: 1 });
      const elsewhere = join(tempDir('elsewhere'), 'taken');
      renameSync(join(directory, linked), elsewhere);
      symlinkSync(elsewhere, join(directory, linked));
      expect(await reasonOf(leaveState(instance)), linked).to.equal('serialize_failed');
      expect(existsSync(elsewhere)).to.equal(true);
      expect(existsSync(directory)).to.equal(false);
    }
  });
});
