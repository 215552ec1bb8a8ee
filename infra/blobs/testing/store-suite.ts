import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import { BlobMissing, type BlobStore } from '../types.ts';

export const mebibyte = 1024 * 1024;

/** Content of this size, and its hash at the end. */
export function content(mebibytes: number) {
  const hash = createHash('sha256');
  const chunks = async function* () {
    for (let n = 0; n < mebibytes; n += 1) {
      const chunk = randomBytes(mebibyte);
      hash.update(chunk);
      yield chunk;
    }
  };
  return { chunks: chunks(), sha256: () => hash.digest('hex') };
}

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export async function hashOf(store: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await store.get(key)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export async function textOf(store: BlobStore, key: string): Promise<string> {
  let text = '';
  for await (const chunk of await store.get(key)) text += String(chunk);
  return text;
}

export const keysOf = async (store: BlobStore): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
};

export const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

export interface Place {
  readonly store: BlobStore;
  /** Names of incomplete blobs. */
  readonly unfinished: () => Promise<readonly string[]>;
}

const newKey = () => `${randomUUID()}/1-${randomUUID()}`;

/** The behaviour of every store. */
export function behavesAsStore(open: () => Promise<Place>): void {
  let opened: Place;
  before(async () => {
    opened = await open();
  });
  after(() => opened.store.close());
  const place: Place = {
    get store() {
      return opened.store;
    },
    unfinished: () => opened.unfinished(),
  };
  keepsBlobs(place);
  keepsNothingUnfinished(place);
  knowsItsKeys(place);
}

function keepsBlobs(place: Place): void {
  it('gives back what was put, byte for byte', async () => {
    const key = newKey();
    const { chunks, sha256 } = content(20);
    await place.store.put(key, chunks);
    expect(await hashOf(place.store, key)).to.equal(sha256());
  });

  it('keeps a blob without any bytes', async () => {
    const key = newKey();
    await place.store.put(key, content(0).chunks);
    expect(await textOf(place.store, key)).to.equal('');
  });

  it('lists what is there with its size and time', async () => {
    const key = newKey();
    await place.store.put(key, bytesOf('twelve bytes'));
    for await (const blob of place.store.list())
      if (blob.key === key) {
        expect(blob.bytes).to.equal(12);
        expect(Math.abs(blob.storedAt.getTime() - Date.now())).to.be.below(60_000);
        return;
      }
    expect.fail('It is not listed.');
  });

  it('says of a blob that is not there that it is missing', async () => {
    expect(await errorOf(place.store.get(newKey()))).to.be.instanceOf(BlobMissing);
  });

  it('deletes a blob, and does nothing where there is none', async () => {
    const key = newKey();
    await place.store.put(key, bytesOf('gone'));
    await place.store.delete(key);
    await place.store.delete(key);
    expect(await errorOf(place.store.get(key))).to.be.instanceOf(BlobMissing);
    expect(await keysOf(place.store)).not.to.include(key);
  });
}

function keepsNothingUnfinished(place: Place): void {
  it('keeps nothing of content that breaks off, and rejects with its error', async () => {
    const key = newKey();
    const breaking = async function* () {
      yield* content(12).chunks;
      throw new RangeError('The node went away.');
    };
    expect(await errorOf(place.store.put(key, breaking()))).to.be.instanceOf(RangeError);
    expect(await keysOf(place.store)).not.to.include(key);
    expect(await place.unfinished()).to.deep.equal([]);
  });

  it('keeps nothing of an upload that is aborted, though its content hangs', async () => {
    const key = newKey();
    const aborted = new AbortController();
    let sent = 0;
    const hanging = async function* () {
      for await (const chunk of content(12).chunks) {
        sent += 1;
        yield chunk;
      }
      await new Promise(() => undefined);
    };
    const putting = errorOf(place.store.put(key, hanging(), aborted.signal));
    await until(() => sent === 12);
    aborted.abort(new RangeError('The caller has left.'));
    expect(await putting).to.be.instanceOf(RangeError);
    expect(await keysOf(place.store)).not.to.include(key);
    expect(await place.unfinished()).to.deep.equal([]);
  });
}

function knowsItsKeys(place: Place): void {
  for (const key of ['../x', '/x', 'a/../b', 'a//b', '', '.upload-x', 'a\0b', 'a\\b', 'a/b/c/d/e'])
    it(`has no key ${JSON.stringify(key)}`, async () => {
      expect(await errorOf(place.store.put(key, bytesOf('x')))).to.be.instanceOf(Error);
      expect(await errorOf(place.store.get(key))).not.to.be.instanceOf(BlobMissing);
    });

  it('keeps twenty at once', async () => {
    const puts = Array.from({ length: 20 }, async () => {
      const key = newKey();
      const { chunks, sha256 } = content(1);
      await place.store.put(key, chunks);
      return { key, sha256: sha256() };
    });
    for (const { key, sha256 } of await Promise.all(puts))
      expect(await hashOf(place.store, key)).to.equal(sha256);
  });
}
