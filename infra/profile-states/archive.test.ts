import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { dayMs } from '../../contracts/durations.ts';
import { tempDir } from '../verification/testbed/index.ts';
import { bufferOf, errorOf, filesOfArchive, inPieces, ownContents, packed } from './testing/archives.ts';
import { inspectState, packState, readState, surveyState, trimState, unpackState } from './index.ts';

const now = new Date('2030-06-01T00:00:00Z');
const cookie = { name: 'sid', value: 'x', domain: 'example.com' };
const cookies = JSON.stringify([
  { ...cookie, expires: null },
  { ...cookie, name: 'old', expires: now.getTime() - 1 },
  { ...cookie, name: 'new', expires: now.getTime() + 1 },
]);

function stateDirectory(files: Readonly<Record<string, string>>): string {
  const directory = tempDir('state');
  mkdirSync(join(directory, 'data'));
  for (const [path, content] of Object.entries({ ...ownContents, ...files })) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

describe('a packed state', () => {
  const files = {
    'cookies.json': cookies,
    'session-storage.json': JSON.stringify({
      'https://shop.example': { cart: '3' },
      'https://empty.example': {},
    }),
    'data/local_storage/https_shop.example_0.localstorage': 'local',
    'data/indexeddb/v1/https_shop.example_0/db/IndexedDB.sqlite3': 'x'.repeat(300_000),
    'data/cache/0123456789abcdef/records': 'stored',
    'data/service_workers/Registrations.sqlite3': '',
    [`data/cache/${'long'.repeat(50)}/${'name'.repeat(60)}`]: 'beyond what ustar holds',
    'data/cache/später/日本': 'other letters',
  };

  it('unpacks to the same files, with the same times, readable for their owner only', async () => {
    const directory = stateDirectory(files);
    const path = 'data/local_storage/https_shop.example_0.localstorage';
    utimesSync(join(directory, path), now, new Date('2029-01-02T03:04:05Z'));
    const unpacked = tempDir('unpacked');
    await unpackState(packState(directory), unpacked);
    for (const [file, content] of Object.entries({ ...ownContents, ...files }))
      expect(readFileSync(join(unpacked, file), 'utf8'), file).to.equal(content);
    const { mtime, mode } = statSync(join(unpacked, path));
    expect(mtime).to.deep.equal(new Date('2029-01-02T03:04:05Z'));
    expect(mode & 0o777).to.equal(0o600);
  });

  it('is counted by what is in it, whatever its manifest says', async () => {
    const manifest = {
      ...(JSON.parse(ownContents['manifest.json'] ?? '') as object),
      census: { cookies: 1000, origins: 1000 },
    };
    const directory = stateDirectory({ ...files, 'manifest.json': JSON.stringify(manifest) });
    const census = await inspectState(packState(directory));
    expect(census.cookies).to.equal(3);
    expect(census.parts).to.deep.include({
      cookies: cookies.length,
      local_storage: 5,
      indexeddb: 300_000,
      service_workers: 0,
    });
    expect(await surveyState(directory)).to.deep.equal(census);
  });

  it('does not have what a link leads to', async () => {
    const directory = stateDirectory({});
    symlinkSync('/etc/passwd', join(directory, 'data', 'passwd'));
    symlinkSync('/etc', join(directory, 'data', 'etc'));
    expect(await filesOfArchive(readState(packState(directory)))).to.deep.equal(ownContents);
  });

  it('does not have what is no plain file', async () => {
    const directory = stateDirectory({});
    const at = (name: string) => join(directory, 'data', name);
    execFileSync('mkfifo', [at('fifo')]);
    const socket = createServer().listen(at('socket'));
    await once(socket, 'listening');
    expect(await filesOfArchive(readState(packState(directory)))).to.deep.equal(ownContents);
    socket.close();
  });

  for (const own of Object.keys(ownContents))
    it(`is none where ${own} is no plain file: opening a FIFO would wait for a writer`, async () => {
      for (const put of [
        (path: string) => execFileSync('mkfifo', [path]),
        (path: string) => mkdirSync(path),
      ]) {
        const directory = stateDirectory({});
        rmSync(join(directory, own));
        put(join(directory, own));
        for (const work of [() => bufferOf(packState(directory)), () => surveyState(directory)])
          expect(String(await errorOf(work()))).to.include('is no plain file');
      }
    });

  it('is none where a file of 100 GB is in it that has nothing, and that is not read', async () => {
    const directory = stateDirectory({ 'data/hole': '' });
    truncateSync(join(directory, 'data', 'hole'), 100e9);
    for (const work of [() => bufferOf(packState(directory)), () => surveyState(directory)])
      expect(String(await errorOf(work()))).to.include('more files or bytes');
  });

  it('breaks off where a file of it is missing, and the reader sees it', async () => {
    const directory = mkdtempSync(join(tempDir('state'), 'empty-'));
    expect(String(await errorOf(bufferOf(packState(directory))))).to.include('ENOENT');
  });

  it('is read no further when its reader stops', async () => {
    const archive = packed(files);
    const chunks: AsyncIterator<unknown> = archive[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.return?.();
    expect(archive.destroyed).to.equal(true);
  });
});

describe('a trimmed state', () => {
  const old = { content: 'old', writtenAt: new Date(now.getTime() - 40 * dayMs) };
  const fresh = { content: 'new', writtenAt: new Date(now.getTime() - 2 * dayMs) };
  const files = {
    'cookies.json': cookies,
    'session-storage.json': '{"https://shop.example":{"cart":"3"}}',
    'data/local_storage/https_old.example_0.localstorage': old,
    'data/local_storage/https_shop.example_0.localstorage': old,
    'data/indexeddb/v1/https_shop.example_0/db/IndexedDB.sqlite3': fresh,
    'data/cache/0123456789abcdef/records': fresh,
    'data/service_workers/Registrations.sqlite3': fresh,
  };
  const trimmed = async (trim: Omit<Parameters<typeof trimState>[1], 'now'>) => {
    const whole = await bufferOf(packed(files));
    const { archive, census } = await trimState(async () => inPieces(whole), { ...trim, now });
    const left = await bufferOf(archive);
    expect(census()).to.deep.equal(await inspectState(inPieces(left)));
    return filesOfArchive(readState(inPieces(left)));
  };
  const namesOf = (left: Record<string, string>) =>
    (JSON.parse(left['cookies.json'] ?? '') as { name: string }[]).map(({ name }) => name);

  it('has lost stored responses and expired cookies, and nothing else', async () => {
    const left = await trimmed({});
    expect(Object.keys(left)).to.deep.equal(
      [...Object.keys(ownContents), ...Object.keys(files)].filter(
        (path, at, all) => all.indexOf(path) === at && !path.startsWith('data/cache/'),
      ),
    );
    expect(namesOf(left)).to.deep.equal(['sid', 'new']);
  });

  it('has only the parts that are kept', async () => {
    const left = await trimmed({ keep: ['local_storage'] });
    expect(Object.keys(left).filter((path) => path.startsWith('data/'))).to.deep.equal([
      'data/local_storage/https_old.example_0.localstorage',
      'data/local_storage/https_shop.example_0.localstorage',
    ]);
    expect([left['cookies.json'], left['session-storage.json']]).to.deep.equal(['[]', '{}']);
  });

  it('has an origin with all that is old of it while anything of it is new', async () => {
    const left = Object.keys(await trimmed({ olderThanDays: 30 }));
    expect(left).not.to.include('data/local_storage/https_old.example_0.localstorage');
    expect(left).to.include('data/local_storage/https_shop.example_0.localstorage');
  });
});
