import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore, type BlobStore } from '../../blobs/index.ts';
import type { Config } from '../../config/index.ts';
import { createProfileStates, type ProfileStates } from '../../profile-states/index.ts';
import type { Vault } from '../../vault/index.ts';
import type { RoleContext } from '../roles/role.ts';

type Opening = Pick<RoleContext, 'config' | 'lifetime'>;

/** URL of the object store. */
export const blobUrl = ({ BLOB_URL, DATA_DIR }: Config): string =>
  BLOB_URL ?? pathToFileURL(resolve(DATA_DIR, 'blobs')).href;

/** The object store. */
export async function openBlobs({ config, lifetime }: Opening): Promise<BlobStore> {
  const blobs = await openBlobStore(blobUrl(config));
  lifetime.defer('object store', () => blobs.close());
  return blobs;
}

/** The object store, and the states of profiles in it. */
export async function openProfileStates(
  opening: Opening & { readonly vault: Vault },
): Promise<{ readonly blobs: BlobStore; readonly states: ProfileStates }> {
  const blobs = await openBlobs(opening);
  return { blobs, states: createProfileStates({ blobs, vault: opening.vault }) };
}

/** Directory of running exports and imports. */
export const spoolDirectory = (config: Config): string => resolve(config.DATA_DIR, 'spool');
