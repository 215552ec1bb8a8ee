import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';
import { packFiles, type StateFile } from '../pack.ts';

export const ownContents: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify({ format: 'service-profile-state/1', engine: 'test' }),
  'cookies.json': '[]',
  'session-storage.json': '{}',
};

export type Entry = Partial<Header> & Pick<Header, 'name'> & { readonly content?: string | Buffer };

export const ownEntries: readonly Entry[] = Object.entries(ownContents).map(([name, content]) => ({
  name,
  content,
}));

/** An uncompressed tar of any entries. */
export async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content, ...header } of entries)
    if (content === undefined) tar.entry(header);
    else tar.entry(header, content);
  tar.finalize();
  return bufferOf(tar as AsyncIterable<Uint8Array>);
}

export const compressed = (tar: Buffer): Buffer => brotliCompressSync(tar);

/** Splits bytes at arbitrary positions. */
export async function* inPieces(bytes: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** An archive of a state with the service's own files, followed by these entries. */
export const archiveOf = async (entries: readonly Entry[]): Promise<AsyncGenerator<Buffer>> =>
  inPieces(compressed(await tarOf([...ownEntries, ...entries])));

export interface WrittenFile {
  readonly content: string;
  readonly writtenAt?: Date;
}

/** An archive of these files, as made by `packState`. */
export const packed = (files: Readonly<Record<string, string | WrittenFile>>): Readable =>
  packFiles(
    (async function* (): AsyncGenerator<StateFile> {
      for (const [path, given] of Object.entries({ ...ownContents, ...files })) {
        const { content, writtenAt = new Date() } = typeof given === 'string' ? { content: given } : given;
        yield {
          path,
          bytes: Buffer.byteLength(content),
          writtenAt,
          content: Readable.from([Buffer.from(content)]),
        };
      }
    })(),
  );

export async function bufferOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

export async function filesOfArchive(files: AsyncIterable<StateFile>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path, content } of files) found[path] = await text(content);
  return found;
}

export const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
