import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file that only its owner can read. Content and name are on disk when this resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = await open(`${path}.new`, 'w', 0o600);
  await draft.writeFile(text);
  await draft.sync();
  await draft.close();
  await rename(`${path}.new`, path);
  const directory = await open(dirname(path));
  await directory.sync();
  await directory.close();
}
