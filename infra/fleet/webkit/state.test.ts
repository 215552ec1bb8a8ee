import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { UnvisitedSites } from '../../profile-states/index.ts';
import { StateNotLeft } from '../node/driver.ts';
import { removeDirectory } from './instance.ts';
import { leaveState } from './state.ts';

/** A browser that has written these files and reports these counts. */
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
    unvisited: undefined as UnvisitedSites | undefined,
    host: { send: () => Promise.resolve(held) },
    end: () => Promise.resolve(),
    close: () => removeDirectory(directory),
  };
  return { directory, state, instance };
}
const empty = { 'cookies.json': '[]', 'session-storage.json': '{}' };
const nothing = { cookies: 0, sites: 0, shown: [] };
/** Files of the previous state: of one site, of another, and of all sites. */
const before = {
  'data/local_storage/https_one.test_0.localstorage': 'theme',
  'data/indexeddb/v1/http_two.test_8080/a/IndexedDB.sqlite3': 'things',
  'data/service_workers/ServiceWorkerRegistrations-8.sqlite3': 'workers',
};
const cookie = JSON.stringify([{ domain: 'example.test', name: 'a', value: 'b' }]);

const reasonOf = (left: Promise<unknown>) =>
  left.then(
    () => 'left',
    (error: unknown) => (error instanceof StateNotLeft ? error.reason : error),
  );

describe('the state that a browser leaves', () => {
  it('is degenerate when the files lack what the browser reported', async () => {
    for (const [files, held] of [
      [{}, { cookies: 3, sites: 0, shown: [] }],
      [{ 'cookies.json': cookie }, { cookies: 1, sites: 2, shown: [] }],
    ] as const) {
      const { directory, instance } = browserWith(files, held);
      expect(await reasonOf(leaveState(instance))).to.equal('degenerate_dump');
      expect(existsSync(directory)).to.equal(false);
    }
  });

  it('may be empty when the browser reports nothing, as its cookies were cleared', async () => {
    const { instance } = browserWith({}, nothing);
    expect((await leaveState(instance)).census).to.include({ cookies: 0, origins: 0 });
  });

  describe('after a restored one', () => {
    /** The verdict when all files of the previous state but these have vanished, after visits to these sites. */
    const leaving = async (left: readonly string[], visited: readonly string[], shown: readonly string[]) => {
      const { state, instance } = browserWith(before, { ...nothing, shown });
      const unvisited = await UnvisitedSites.of(state);
      for (const path of Object.keys(before)) if (!left.includes(path)) rmSync(join(state, path));
      for (const site of visited) unvisited.visit(site);
      return reasonOf(leaveState({ ...instance, unvisited }));
    };
    const [one, two, workers] = Object.keys(before) as [string, string, string];

    it('is degenerate when a site that was not visited has lost its data', async () => {
      for (const [left, visited, shown] of [
        [[], [], []],
        [[one, two], [], []],
        [[two, workers], [], []],
        [[one], ['one.test:443'], []],
        [[two], ['two.test:8080', 'one.test:80'], ['three.test:443']],
      ] as const)
        expect(await leaving(left, visited, shown), [left, visited].join()).to.equal('degenerate_dump');
    });

    it('may have less of sites that were visited, over the network or offline', async () => {
      for (const [left, visited, shown] of [
        [[one, two, workers], [], []],
        [[two], ['one.test:443'], []],
        [[one], [], ['two.test:8080']],
        [[], ['one.test:443'], ['two.test:8080']],
      ] as const)
        expect(await leaving(left, visited, shown), [left, visited].join()).to.equal('left');
    });
  });

  it('is refused when the report is invalid, or its files are not of the known kind', async () => {
    for (const [files, held] of [
      [{}, null],
      [{ 'cookies.json': '{}' }, nothing],
    ] as const) {
      const { directory, instance } = browserWith(files, held);
      expect(await reasonOf(leaveState(instance))).to.equal('serialize_failed');
      expect(existsSync(directory)).to.equal(false);
    }
  });

  it('is too large when it could not be unpacked again', async () => {
    const { directory, instance } = browserWith(
      {
        'cookies.json': JSON.stringify([{ domain: 'a.test', name: 'a', value: 'x'.repeat(8 * 1024 * 1024) }]),
      },
      { ...nothing, cookies: 1 },
    );
    expect(await reasonOf(leaveState(instance))).to.equal('too_large');
    expect(existsSync(directory)).to.equal(false);
  });

  it('is all that remains of the browser, and is written through no symbolic link', async () => {
    const { directory, state, instance } = browserWith({ 'data/cache/a/b': 'c' }, { ...nothing, sites: 1 });
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

  it('is refused when its directory is a link to another one', async () => {
    for (const linked of ['state', 'state/data']) {
      const { directory, instance } = browserWith({ 'data/cache/a/b': 'c' }, { ...nothing, sites: 1 });
      const elsewhere = join(tempDir('elsewhere'), 'taken');
      renameSync(join(directory, linked), elsewhere);
      symlinkSync(elsewhere, join(directory, linked));
      expect(await reasonOf(leaveState(instance)), linked).to.equal('serialize_failed');
      expect(existsSync(elsewhere)).to.equal(true);
      expect(existsSync(directory)).to.equal(false);
    }
  });
});
