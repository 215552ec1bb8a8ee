import { constants, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { driverFailure, pageFailure } from '../node/driver.ts';

const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK } = constants;

/**
 * Opens a file that a browser has written into a directory of its own. The browser can put there what it likes, so nothing but a
 * plain file of that very directory is opened: a link could lead to the node's own files. Undefined where there is none.
 */
export async function openOwnFile(directory: string, name: string): Promise<FileHandle | undefined> {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) return undefined;
  const around = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  try {
    if (!around) return undefined;
    // By the directory that is open, which nobody can exchange for another one meanwhile.
    const path = join('/proc/self/fd', String(around.fd), name);
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (!file || (await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } finally {
    await around?.close();
  }
}

/** The content of such a file, which is there, of at most so many bytes. Fails with an `OperationFailed`. */
export async function readOwnFile(directory: string, name: string, mostBytes: number): Promise<Buffer> {
  const file = await openOwnFile(directory, name);
  if (!file) throw driverFailure('The browser did not write the file that it was asked for.');
  try {
    const { size } = await file.stat();
    if (size > mostBytes)
      throw pageFailure('result_too_large', `The result is larger than ${mostBytes} bytes.`);
    // It ends where it ended when it was looked at, also if something is being written to it.
    const content = Buffer.alloc(size);
    const { bytesRead } = await file.read(content, 0, size, 0);
    return content.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
