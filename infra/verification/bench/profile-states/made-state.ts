import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { dataFolder, stateFormat } from '../../../profile-states/index.ts';

const mebibyte = 1024 * 1024;

/**
 * A state of that many MiB like a busy profile's: two fifths databases (rows of UTF-16 JSON, every other one compressed
 * by the site), a quarter images, a quarter JSON, the rest scripts. Determined by the seed.
 */
export async function makeState(directory: string, mebibytes: number, seed: number): Promise<void> {
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  await write('manifest.json', JSON.stringify({ format: stateFormat, engine: 'bench' }));
  await write('cookies.json', '[]');
  await write('session-storage.json', '{}');
  const made = madeUp(seed);
  for (let file = 0; file < mebibytes; file += 1) {
    const { path, content } = kinds[file % kinds.length] ?? kinds[0];
    await write(`${dataFolder}/${path(file)}`, content(made));
  }
}

type MadeUp = ReturnType<typeof madeUp>;

const stored = (file: number) => `cache/${String(file % 20).padStart(16, '0')}/${file}`;
const database = {
  path: (file: number) => `indexeddb/v1/https_site-${file % 30}.example_0/${file}/IndexedDB.sqlite3`,
  content: (made: MadeUp) => rows(made),
};
const image = { path: stored, content: ({ noise }: MadeUp) => noise(mebibyte) };
const json = {
  path: stored,
  content: ({ text }: MadeUp) => JSON.stringify(Array.from({ length: 1024 }, () => ({ text: text(1000) }))),
};
const script = { path: stored, content: ({ text }: MadeUp) => `function ${text(mebibyte)}` };
const kinds = [database, image, json, database, script, database, image, json, database, json] as const;

function rows({ text, noise }: MadeUp): Buffer {
  const all: Buffer[] = [];
  for (let bytes = 0; bytes < mebibyte;) {
    const row = JSON.stringify({ id: noise(8).toString('hex'), text: text(400) });
    all.push(all.length % 2 === 0 ? Buffer.from(row, 'utf16le') : deflateRawSync(row));
    bytes += all.at(-1)?.length ?? 0;
  }
  return Buffer.concat(all);
}

function madeUp(seed: number) {
  let drawn = 0;
  const draw = (): Buffer =>
    createHash('sha512')
      .update(`${seed} ${(drawn += 1)}`)
      .digest();
  const noise = (bytes: number): Buffer => {
    const all = Array.from({ length: Math.ceil(bytes / 64) }, draw);
    return Buffer.concat(all).subarray(0, bytes);
  };
  const words = Array.from({ length: 4096 }, () =>
    draw()
      .toString('hex')
      .slice(0, 3 + (drawn % 8)),
  );
  const text = (letters: number): string => {
    const parts: string[] = [];
    for (let length = 0; length < letters;)
      for (const byte of noise(64)) {
        const word = words[(byte * 16 + parts.length) % words.length] ?? '';
        parts.push(word);
        length += word.length + 1;
      }
    return parts.join(' ').slice(0, letters);
  };
  return { noise, text };
}
