import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file that its owner alone may read. It is on the disk when this resolves, name and all. */
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
