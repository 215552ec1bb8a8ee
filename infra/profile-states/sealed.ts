import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { uuidOf, type ProfileId } from '../../contracts/ids.ts';
import { largestState } from '../../contracts/profile-state.ts';
import { BlobMissing, type BlobStore } from '../blobs/types.ts';
import { SealUnreadable, type Vault } from '../vault/index.ts';
import { SealBroken, openChunks, sealChunks, streamKeyBytes } from './chunked-cipher.ts';
import {
  StateNotKept,
  StateUnreadable,
  type ProfileStates,
  type SealFailure,
  type SealedState,
} from './types.ts';

export interface ProfileStatesOptions {
  readonly blobs: BlobStore;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Maximum sealed bytes of one state. */
  readonly mostBytes?: number;
}

/** The vault's field of a blob's key. */
const keyField = 'state key';

/** The context of every chunk of a blob. */
const contextOf = (
  profile: ProfileId,
  { generation, blob }: Pick<SealedState, 'generation' | 'blob'>,
): string => JSON.stringify(['profile-state/1', profile, generation, blob]);

export const createProfileStates = (options: ProfileStatesOptions): ProfileStates => ({
  keep: (profile, generation, archive) => keep(options, { profile, generation, archive }),
  open: (profile, state) => open(options, profile, state),
  drop: (blob) => options.blobs.delete(blob),
});

interface Keeping {
  readonly profile: ProfileId;
  readonly generation: number;
  readonly archive: AsyncIterable<Uint8Array>;
}

async function keep(
  options: ProfileStatesOptions,
  { profile, generation, archive }: Keeping,
): Promise<SealedState> {
  const { blobs, vault, mostBytes = largestState } = options;
  const key = randomBytes(streamKeyBytes);
  const blob = `${uuidOf(profile)}/${generation}-${randomUUID()}`;
  const sealedKey = await vault
    .seal(profile, keyField, key.toString('base64'))
    .catch(notKept('seal_failed', 'There is no key to seal the state with.'));
  const meter = new Meter(mostBytes);
  await blobs
    .put(blob, meter.measured(sealChunks(archive, key, contextOf(profile, { generation, blob }))))
    .catch(notKept('upload_failed', 'The state did not reach the object store.'));
  return { generation, blob, bytes: meter.bytes, sha256: meter.sha256(), sealedKey };
}

async function open(
  { blobs, vault }: ProfileStatesOptions,
  profile: ProfileId,
  state: SealedState,
): Promise<Readable> {
  const opened = await vault.open(profile, keyField, state.sealedKey).catch((error: unknown) => {
    throw error instanceof SealUnreadable
      ? new StateUnreadable('The key of the state does not open.', { cause: error })
      : error;
  });
  if ('erased' in opened) throw new StateUnreadable('The key of the profile is destroyed.');
  const sealed = await blobs.get(state.blob).catch((error: unknown) => {
    throw error instanceof BlobMissing
      ? new StateUnreadable('The state is missing.', { cause: error })
      : error;
  });
  const key = Buffer.from(opened.text, 'base64');
  const content = readably(openChunks(sealed, key, contextOf(profile, state)));
  // An archive that is destroyed before anything was read has not begun to read the blob, and would leave it open.
  return Readable.from(content, { objectMode: false }).once('close', () => sealed.destroy());
}

async function* readably(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    throw error instanceof SealBroken
      ? new StateUnreadable('The state was cut or changed, or is another one.', { cause: error })
      : error;
  }
}

/** Counts and hashes a stream, and ends it above the limit. */
class Meter {
  readonly #hash = createHash('sha256');
  readonly #mostBytes: number;
  bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  async *measured(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.bytes += chunk.length;
      if (this.bytes > this.#mostBytes)
        throw new StateNotKept('too_large', `The sealed state has more than ${this.#mostBytes} bytes.`);
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  sha256(): string {
    return this.#hash.digest('hex');
  }
}

const notKept =
  (reason: SealFailure, detail: string) =>
  (error: unknown): never => {
    throw error instanceof StateNotKept ? error : new StateNotKept(reason, detail, { cause: error });
  };
