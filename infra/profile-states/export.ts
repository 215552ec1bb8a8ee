import { randomBytes } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { exportFormat } from '../../contracts/resources/profile.ts';
import { Semaphore } from '../platform/semaphore.ts';
import { SealBroken, openChunks, sealChunks, streamKeyBytes } from './chunked-cipher.ts';

/** The file is not an export of this version, was truncated or changed, or the passphrase is wrong. */
export class ExportInvalid extends Error {
  override readonly name = 'ExportInvalid';
}

/**
 * An export file is `service-profile/1` and a line feed, 16 bytes of salt, and the archive in sealed chunks with a key derived
 * from the passphrase. The cost of the derivation depends on the version, not on the file, so an attacker's file cannot raise it.
 */
const magic = Buffer.from(`${exportFormat}\n`);
const saltBytes = 16;
/** RFC 9106, 4: the second recommended option, 64 MiB. */
const argon2id = { memoryCost: 65_536, timeCost: 3, parallelism: 4, outputLen: streamKeyBytes };

export async function* sealExport(
  archive: AsyncIterable<Uint8Array>,
  { passphrase }: { readonly passphrase: string },
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  yield Buffer.concat([magic, salt]);
  yield* sealChunks(archive, await keysOf(passphrase)(salt), exportFormat);
}

/** The archive of an export file. Throws `ExportInvalid`, or the error of `sealed`; everything yielded before is invalid then. */
export async function* openExport(sealed: AsyncIterable<Uint8Array>, keyOf: KeyOf): AsyncGenerator<Buffer> {
  const { head, rest } = await split(sealed, magic.length + saltBytes);
  if (!head.subarray(0, magic.length).equals(magic) || head.length < magic.length + saltBytes)
    throw new ExportInvalid('The file is no exported profile of this version.');
  const key = await keyOf(head.subarray(magic.length));
  try {
    yield* openChunks(rest, key, exportFormat);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new ExportInvalid('The passphrase is another one, or the file was cut or changed.', {
      cause: error,
    });
  }
}

/** Maximum concurrent key derivations in this process, FIFO: half of the thread pool, whose other threads files need. */
const derivations = new Semaphore(2);

export type KeyOf = (salt: Uint8Array) => Promise<Buffer>;

/** Normalises the passphrase, however a keyboard composes letters. The key of a salt is derived once. */
export function keysOf(passphrase: string): KeyOf {
  const derived = new Map<string, Promise<Buffer>>();
  const derive = (salt: Uint8Array): Promise<Buffer> =>
    derivations.hold(() => hashRaw(passphrase.normalize('NFKC'), { ...argon2id, salt }));
  return (salt) => {
    const name = Buffer.from(salt).toString('hex');
    const key = derived.get(name) ?? derive(salt);
    derived.set(name, key);
    return key;
  };
}

/** Splits a stream into its first bytes and the rest. */
async function split(stream: AsyncIterable<Uint8Array>, size: number) {
  const chunks = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < size) {
    const chunk = await chunks.next();
    if (chunk.done === true) break;
    head = Buffer.concat([head, chunk.value]);
  }
  const rest = async function* () {
    yield head.subarray(size);
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return { head: head.subarray(0, size), rest: rest() };
}
