import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** All files in a directory and its subdirectories. */
export const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
    try {
      return filesIn(path);
    } catch {
      // Removed meanwhile.
      return [];
    }
  });

/** Empty if the file no longer exists. */
export const contentOf = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
};

/** Bytes in a piece of a file, and how many of them the next piece begins with: more than anything that is searched for. */
const piece = { size: 64 * 1024 ** 2, overlap: 256 };

/**
 * The content in overlapping pieces, each valid until the next: files of a long run are larger than a buffer may be.
 * Yields nothing if the file does not exist.
 */
export function* piecesOf(path: string, { size, overlap } = piece): Generator<Buffer> {
  const file = opened(path);
  if (file === undefined) return;
  try {
    const buffer = Buffer.allocUnsafe(Math.min(size, fstatSync(file).size + 1));
    for (let from = 0; ; from += size - overlap) {
      const read = readSync(file, buffer, 0, buffer.length, from);
      yield buffer.subarray(0, read);
      if (read < size) return;
    }
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    // Removed meanwhile.
    return undefined;
  }
}

/** Encoder processes of browsers in this directory. */
export const encodersIn = (directory: string): readonly string[] =>
  readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    const command = contentOf(`/proc/${entry}/cmdline`).toString();
    return (
      command.startsWith('/usr/bin/gjs') && command.includes('encoder.js') && command.includes(directory)
    );
  });
