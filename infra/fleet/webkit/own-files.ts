import { constants, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { driverFailure, pageFailure } from '../node/driver.ts';

const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK } = constants;

/**
 * Opens a file that a browser has written into its directory. A compromised browser can create anything there, and a symbolic link could
 * lead to the node's files, so only a plain file in that very directory is opened. Undefined if there is none.
 */
export async function openOwnFile(directory: string, name: string): Promise<FileHandle | undefined> {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) return undefined;
  const around = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  try {
    if (!around) return undefined;
    // Opened relative to the open directory, which cannot be exchanged for another one meanwhile.
    const path = join('/proc/self/fd', String(around.fd), name);
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (!file || (await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } finally {
    await around?.close();
  }
}

/** Content of such a file, which must exist and have at most `mostBytes`. Throws `OperationFailed`. */
export async function readOwnFile(directory: string, name: string, mostBytes: number): Promise<Buffer> {
  const file = await openOwnFile(directory, name);
  if (!file) throw driverFailure('The browser did not write the file that it was asked for.');
  try {
    const { size } = await file.stat();
    if (size > mostBytes)
      throw pageFailure('result_too_large', `The result is larger than ${mostBytes} bytes.`);
    // Read up to the size at opening, even if the file is still written to.
    const content = Buffer.alloc(size);
    const { bytesRead } = await file.read(content, 0, size, 0);
    return content.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
