import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { exportContent } from '../../commands/profile/export-file.ts';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { sealExport } from '../../infra/profile-states/index.ts';
import { packed } from '../../infra/profile-states/testing/archives.ts';
import type { WriteSide } from '../testing.ts';

const passphrase = 'correct horse';
const about = { archetype: archetypeCatalogue.default, description: null, has_state: true };

/** An exported profile whose packed state has about so many bytes. */
export async function exportedProfile(bytes: number): Promise<string> {
  const state = packed({ 'data/cache/6f1d/body': randomBytes(bytes).toString('base64') });
  return (await buffer(sealExport(exportContent(about, state), { passphrase }))).toString('base64');
}

/** Asks for the import of an exported profile. */
export const importing = (side: Pick<WriteSide, 'call'>, token: string, data: string, name = 'Mine') =>
  side.call('POST /v1/profiles/import', { token, body: { name, data, passphrase } });

/** The id of an imported profile. */
export async function imported(...of: Parameters<typeof importing>): Promise<string> {
  const { status, json, text } = await importing(...of);
  expect(status, text).to.equal(201);
  return String(json.id);
}
