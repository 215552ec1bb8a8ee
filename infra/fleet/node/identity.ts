import { hkdfSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../platform/durable-file.ts';
import { createCredential, nodeIdOf } from '../control-plane/credential.ts';
import type { VideoKey } from '../video/token.ts';

/**
 * The node's secret: created at the first start, readable by its owner only, and stable afterwards. An empty file, as a full disk or a
 * power cut left it under earlier releases, counts as none: there is nothing in it to lose.
 */
export async function nodeCredential(dataDir: string): Promise<string> {
  const path = join(dataDir, 'credential');
  const kept = await keptIn(path);
  if (kept.length >= 32) return kept;
  if (kept !== '') throw new Error(`${path} does not hold a credential. Remove it to make a new one.`);
  const made = createCredential();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeDurably(path, made);
  return made;
}

/** Empty if there is none. */
async function keptIn(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Key that signs this node's video tokens: derived from the credential, so stable, and useless for anything else. */
export const videoKeyOf = (credential: string): VideoKey => ({
  api_key: nodeIdOf(credential),
  api_secret: Buffer.from(hkdfSync('sha256', credential, '', 'video tokens', 32)).toString('base64url'),
});
