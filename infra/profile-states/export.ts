import { randomBytes } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { exportFormat } from '../../contracts/resources/profile.ts';
import { SealBroken, openChunks, sealChunks, streamKeyBytes } from './chunked-cipher.ts';

/** The file is no export of this version, was cut or changed, or the passphrase is another one. */
export class ExportInvalid extends Error {
  override readonly name = 'ExportInvalid';
}

/**
 * An export file is `service-profile/1` and a line feed, 16 bytes of salt, and the archive in sealed chunks whose key is
 * derived from the passphrase. The version says what the derivation costs, not the file: an attacker's cannot make it cost more.
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
  yield* sealChunks(archive, await keyOf(passphrase, salt), exportFormat);
}

/** The archive of an export file. Throws `ExportInvalid`, or the error of `sealed`: what was read before is worth nothing then. */
export async function* openExport(
  sealed: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  const { head, rest } = await split(sealed, magic.length + saltBytes);
  if (!head.subarray(0, magic.length).equals(magic) || head.length < magic.length + saltBytes)
    throw new ExportInvalid('The file is no exported profile of this version.');
  const key = await keyOf(passphrase, head.subarray(magic.length));
  try {
    yield* openChunks(rest, key, exportFormat);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new ExportInvalid('The passphrase is another one, or the file was cut or changed.', {
      cause: error,
    });
  }
}

/** The same letters give the same key, however a keyboard composes them. */
const keyOf = (passphrase: string, salt: Uint8Array): Promise<Buffer> =>
  hashRaw(passphrase.normalize('NFKC'), { ...argon2id, salt });

/** The first bytes, and all that come after them. */
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
