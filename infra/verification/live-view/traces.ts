import { readdirSync, readFileSync } from 'node:fs';

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

/** Encoder processes of browsers in this directory. */
export const encodersIn = (directory: string): readonly string[] =>
  readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    const command = contentOf(`/proc/${entry}/cmdline`).toString();
    return (
      command.startsWith('/usr/bin/gjs') && command.includes('encoder.js') && command.includes(directory)
    );
  });
