import { hkdfSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCredential, nodeIdOf } from '../control-plane/credential.ts';
import type { VideoKey } from '../video/token.ts';

/** The node's secret: created at the first start, readable by its owner only, and stable afterwards. */
export function nodeCredential(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'credential');
  try {
    writeFileSync(path, createCredential(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const credential = readFileSync(path, 'utf8').trim();
  if (credential.length < 32)
    throw new Error(`${path} does not hold a credential. Remove it to make a new one.`);
  return credential;
}

/** Key that signs this node's video tokens: derived from the credential, so stable, and useless for anything else. */
export const videoKeyOf = (credential: string): VideoKey => ({
  api_key: nodeIdOf(credential),
  api_secret: Buffer.from(hkdfSync('sha256', credential, '', 'video tokens', 32)).toString('base64url'),
});
