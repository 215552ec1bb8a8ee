import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Incoming, storeFailed } from './content.ts';
import { abandonedAfterMs, assertKey, isKey } from './keys.ts';
import { BlobMissing, type BlobStore, type StoredBlob } from './types.ts';

/** Prefix of files being written, which no key has. */
const temporary = '.upload-';
const chunkBytes = 256 * 1024;

/** Blobs as files in a directory, which several processes may share. A file gets its name once its content is on disk. */
export function openDirectory({ root }: { readonly root: string }): BlobStore {
  const store = `The blob directory ${root}`;
  const failed = (error: unknown): never => {
    throw storeFailed(store, error);
  };
  const fileOf = (key: string): string => {
    assertKey(key);
    return join(root, key);
  };
  return {
    async put(key, content, signal) {
      const file = fileOf(key);
      const incoming = new Incoming(content, signal, chunkBytes);
      try {
        await write(root, file, incoming.body, signal);
      } catch (error) {
        throw incoming.explain(error, store);
      } finally {
        incoming.body.destroy();
      }
    },
    async get(key) {
      const handle = await open(fileOf(key)).catch((error: unknown) => {
        throw isCode(error, 'ENOENT')
          ? new BlobMissing(`There is no blob ${key}.`)
          : storeFailed(store, error);
      });
      return handle.createReadStream({ highWaterMark: chunkBytes });
    },
    delete: (key) => remove(root, fileOf(key)).catch(failed),
    async *list() {
      try {
        yield* filesBelow(root, '', Date.now() - abandonedAfterMs);
      } catch (error) {
        failed(error);
      }
    },
    close: async () => undefined,
  };
}

async function write(
  root: string,
  file: string,
  content: Readable,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = dirname(file);
  const path = join(folder, `${temporary}${randomUUID()}`);
  const handle = await create(path);
  try {
    await pipeline(content, handle.createWriteStream({ flush: true, highWaterMark: chunkBytes }));
    signal?.throwIfAborted();
    await rename(path, file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  for (let each = folder; each.length >= root.length; each = dirname(each)) await flushFolder(each);
}

/** The empty folder may be removed by another process before the file is created. */
async function create(path: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if (!isCode(error, 'ENOENT') || attempt === 10) throw error;
    }
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function remove(root: string, file: string): Promise<void> {
  await rm(file, { force: true });
  for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      (error: unknown) => {
        if (isCode(error, 'ENOTEMPTY', 'ENOENT')) return false;
        throw error;
      },
    );
    if (!isRemoved) return;
  }
}

/** Removes temporary files without a write since then. */
async function* filesBelow(root: string, folder: string, since: number): AsyncGenerator<StoredBlob> {
  for (const entry of await entriesOf(join(root, folder))) {
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, key, since);
    const found = entry.isFile() ? await statOf(join(root, key)) : undefined;
    if (!found) continue;
    if (isKey(key)) yield { key, bytes: found.size, storedAt: found.mtime };
    else if (entry.name.startsWith(temporary) && found.mtimeMs < since)
      await rm(join(root, key), { force: true });
  }
}

const entriesOf = (folder: string) => readdir(folder, { withFileTypes: true }).catch(unlessAbsent([]));
const statOf = (file: string) => stat(file).catch(unlessAbsent(undefined));

const unlessAbsent =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (isCode(error, 'ENOENT')) return instead;
    throw error;
  };

const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
