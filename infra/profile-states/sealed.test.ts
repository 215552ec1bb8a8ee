import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import pino from 'pino';
import { toId, type ProfileId } from '../../contracts/ids.ts';
import { openBlobStore, type BlobStore } from '../blobs/index.ts';
import { connectPostgres, type Postgres } from '../postgres/index.ts';
import { createMasterKeys, createVault, vaultMigrations, type Vault } from '../vault/index.ts';
import { freshDatabase, tempDir } from '../verification/testbed/index.ts';
import { bufferOf, errorOf, inPieces } from './testing/archives.ts';
import {
  StateNotKept,
  StateUnreadable,
  createProfileStates,
  type ProfileStates,
  type SealedState,
} from './index.ts';

const chunk = 64 * 1024;
const masterKey = randomBytes(32);
const sealedChunk = chunk + 16;

describe('a sealed state', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  let vault: Vault;
  let root: string;
  let blobs: BlobStore;
  let states: ProfileStates;
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
    for (const { sql } of vaultMigrations) await postgres.pool.query(sql);
    vault = createVault({ pool: postgres.pool, masterKeys: createMasterKeys([masterKey]) });
    root = tempDir('states');
    blobs = await openBlobStore(pathToFileURL(root).href);
    states = createProfileStates({ blobs, vault });
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });

  const newProfile = (): ProfileId => toId('profile', randomUUID());
  const fileOf = ({ blob }: SealedState) => join(root, blob);
  const keep = async (content: Buffer, profile = newProfile(), generation = 1) => ({
    profile,
    state: await states.keep(profile, generation, inPieces(content, 10_007)),
  });
  const opened = async (profile: ProfileId, state: SealedState) =>
    bufferOf(await states.open(profile, state));
  /** The bytes read before content turned out to be broken, and the error. */
  const readOf = async (profile: ProfileId, state: SealedState) => {
    const read: Buffer[] = [];
    const error = await errorOf(
      (async () => {
        for await (const piece of await states.open(profile, state)) read.push(piece as Buffer);
      })(),
    );
    return { read: Buffer.concat(read), error };
  };

  for (const size of [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 1_000_000])
    it(`of ${size} bytes opens to what was kept`, async () => {
      const content = randomBytes(size);
      const { profile, state } = await keep(content);
      expect((await opened(profile, state)).equals(content)).to.equal(true);
    });

  it('says where its sealed bytes are, how many, and their hash', async () => {
    const { profile, state } = await keep(randomBytes(200_000), newProfile(), 7);
    const sealed = readFileSync(fileOf(state));
    expect(state.blob).to.match(new RegExp(`^${profile.slice(5)}/7-[0-9a-f-]{36}$`));
    expect([state.generation, state.bytes]).to.deep.equal([7, sealed.length]);
    expect(state.sha256).to.equal(createHash('sha256').update(sealed).digest('hex'));
  });

  it('shows nothing of its content in the store, and differs each time', async () => {
    const content = Buffer.from('secret cookie '.repeat(10_000));
    const [one, other] = [
      readFileSync(fileOf((await keep(content)).state)),
      readFileSync(fileOf((await keep(content)).state)),
    ];
    expect(one.includes('secret')).to.equal(false);
    expect(one.subarray(0, 32).equals(other.subarray(0, 32))).to.equal(false);
  });

  const damages: Readonly<Record<string, (sealed: Buffer) => Buffer>> = {
    'was cut at a chunk': (sealed) => sealed.subarray(0, 2 * sealedChunk),
    'was cut within a chunk': (sealed) => sealed.subarray(0, -1),
    'was cut to nothing': () => Buffer.alloc(0),
    'was cut to less than a tag': (sealed) => sealed.subarray(0, 10),
    'was extended by a byte': (sealed) => Buffer.concat([sealed, Buffer.from([0])]),
    'was extended by a chunk': (sealed) => Buffer.concat([sealed, sealed.subarray(0, sealedChunk)]),
    'has two chunks exchanged': (sealed) =>
      Buffer.concat([
        sealed.subarray(sealedChunk, 2 * sealedChunk),
        sealed.subarray(0, sealedChunk),
        sealed.subarray(2 * sealedChunk),
      ]),
    'has a chunk twice': (sealed) => Buffer.concat([sealed.subarray(0, sealedChunk), sealed]),
    'lacks a chunk in the middle': (sealed) =>
      Buffer.concat([sealed.subarray(0, sealedChunk), sealed.subarray(2 * sealedChunk)]),
  };
  for (const [what, damage] of Object.entries(damages))
    it(`that ${what} does not open`, async () => {
      const content = randomBytes(3 * chunk + 100);
      const { profile, state } = await keep(content);
      writeFileSync(fileOf(state), damage(readFileSync(fileOf(state))));
      const { read, error } = await readOf(profile, state);
      expect(error).to.be.instanceOf(StateUnreadable);
      expect(content.subarray(0, read.length).equals(read)).to.equal(true);
      expect(read.length).to.be.below(content.length);
    });

  it('gives nothing of a chunk in which one bit was changed', async () => {
    const { profile, state } = await keep(randomBytes(3 * chunk));
    const sealed = readFileSync(fileOf(state));
    for (const at of [0, sealedChunk - 1, sealedChunk + 5, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(fileOf(state), changed);
      const { read, error } = await readOf(profile, state);
      expect(error).to.be.instanceOf(StateUnreadable);
      expect(read.length).to.equal(Math.floor(at / sealedChunk) * chunk);
    }
  });

  it('does not open in the place of another blob, generation or profile, though its key is put there too', async () => {
    const { profile, state } = await keep(randomBytes(1000));
    const copied = { ...state, blob: `${profile.slice(5)}/2-${randomUUID()}` };
    cpSync(fileOf(state), fileOf(copied));
    expect((await readOf(profile, copied)).error).to.be.instanceOf(StateUnreadable);
    expect((await readOf(profile, { ...state, generation: 2 })).error).to.be.instanceOf(StateUnreadable);
    const { profile: other, state: theirs } = await keep(randomBytes(1000));
    cpSync(fileOf(state), fileOf(theirs));
    expect((await readOf(other, theirs)).error).to.be.instanceOf(StateUnreadable);
    expect((await readOf(other, { ...state, sealedKey: theirs.sealedKey })).error).to.be.instanceOf(
      StateUnreadable,
    );
    expect(await errorOf(states.open(other, state))).to.be.instanceOf(Error);
  });

  it('does not keep its blob open if nothing of it is read', async () => {
    const { profile, state } = await keep(randomBytes(1000));
    const contents: Readable[] = [];
    const get = async (key: string) => {
      const content = await blobs.get(key);
      contents.push(content);
      return content;
    };
    const archive = await createProfileStates({ blobs: { ...blobs, get }, vault }).open(profile, state);
    archive.destroy();
    await once(archive, 'close');
    expect(contents.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
  });

  it('that is missing is unreadable', async () => {
    const { profile, state } = await keep(randomBytes(1000));
    await states.drop(state.blob);
    expect(await errorOf(states.open(profile, state))).to.be.instanceOf(StateUnreadable);
  });

  it('is unreadable once its profile’s key is destroyed, and nothing more is kept for it', async () => {
    const { profile, state } = await keep(randomBytes(1000));
    await vault.forget(profile);
    expect(await errorOf(states.open(profile, state))).to.be.instanceOf(StateUnreadable);
    const error = await errorOf(states.keep(profile, 2, inPieces(randomBytes(10))));
    expect(error).to.be.instanceOf(StateNotKept).and.to.have.property('reason', 'seal_failed');
  });

  it('is unreadable with a vault that is older than its profile’s key, or has another one', async () => {
    const { profile, state } = await keep(randomBytes(1000));
    await postgres.pool.query('delete from vault.data_keys where account_id = $1', [profile]);
    const restored = createVault({
      pool: postgres.pool,
      masterKeys: createMasterKeys([masterKey]),
    });
    const { open } = createProfileStates({ blobs, vault: restored });
    expect(await errorOf(open(profile, state))).to.be.instanceOf(StateUnreadable);
    await restored.seal(profile, 'state key', 'a new key of the profile');
    expect(await errorOf(open(profile, state))).to.be.instanceOf(StateUnreadable);
  });

  it('of more bytes than may be is cut while it streams, and nothing of it is left', async () => {
    const profile = newProfile();
    const small = createProfileStates({ blobs, vault, mostBytes: 2 * sealedChunk });
    await small.keep(profile, 1, inPieces(randomBytes(2 * chunk)));
    let read = 0;
    const endless = async function* () {
      for (;;) {
        read += chunk;
        yield randomBytes(chunk);
      }
    };
    const error = await errorOf(small.keep(profile, 2, endless()));
    expect(error).to.be.instanceOf(StateNotKept).and.to.have.property('reason', 'too_large');
    expect(read).to.be.below(20 * chunk);
    expect(readdirSync(join(root, profile.slice(5)))).to.have.lengthOf(1);
  });

  it('whose archive breaks off is not kept', async () => {
    const profile = newProfile();
    const breaking = async function* () {
      yield randomBytes(3 * chunk);
      throw new Error('The node went away.');
    };
    const error = await errorOf(states.keep(profile, 1, breaking()));
    expect(error).to.be.instanceOf(StateNotKept).and.to.have.property('reason', 'upload_failed');
    expect(readdirSync(join(root, profile.slice(5)))).to.deep.equal([]);
  });
});
