import { invalid } from '../../contracts/field-errors.ts';
import type { ProfileId } from '../../contracts/ids.ts';
import { largestState, type SavedState, type StateCensus } from '../../contracts/profile-state.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import type { ImportProfile } from '../../contracts/resources/profile.ts';
import { assertImportFits } from '../../domain/profile/storage.ts';
import type { Spooled } from '../../infra/platform/spool.ts';
import {
  ExportInvalid,
  StateArchiveInvalid,
  StateNotKept,
  inspectState,
  keysOf,
  openExport,
  type KeyOf,
} from '../../infra/profile-states/index.ts';
import { ownedContext, type CommandContext } from '../engine/context.ts';
import { readExport, type About } from './export-file.ts';
import { add, assertRoom, newProfileId, type Owner } from './add.ts';
import type { Changed } from './find.ts';
import { keepArchive } from './keep.ts';
import { notKept, type ProfileStatePorts } from './state-ports.ts';

/** The uploaded file and its passphrase. */
interface Sent {
  readonly file: Spooled;
  readonly keyOf: KeyOf;
}

/**
 * Creates a profile from an exported one. Name, quota and storage are checked before the passphrase, which is expensive. The file is read
 * twice: first everything is validated and nothing is written, then its state is stored, and the profile is created with it.
 * After a crash before that, the daily sweep deletes the unnamed blob; after a refusal, as of the name, the blob is dropped at
 * once.
 */
export async function importProfile(
  ports: ProfileStatePorts,
  owner: Owner,
  { name, passphrase }: ImportProfile,
  file: Spooled,
  context: CommandContext,
): Promise<Changed> {
  if (passphrase === undefined)
    throw invalid({ path: '/body/passphrase', code: 'required', message: 'is required' });
  await assertRoom(ports, owner, name, context);
  const storedBytes = await ports.storedBytes(owner.accountId);
  assertImportFits({ tier: owner.tier, storedBytes, bytes: file.bytes });
  const sent = { file, keyOf: keysOf(passphrase) };
  const { about, census } = await inspect(ports, sent);
  const { archetype, description } = about;
  const profileId = newProfileId(ownedContext(context, owner.accountId));
  const state = census && (await keep(ports, owner, sent, { profileId, census }));
  const origin = { kind: 'imported' } as const;
  try {
    return await add(ports, owner, { name, archetype, description, origin, state }, context);
  } catch (error) {
    // Unless it was refused, the profile may exist.
    if (state !== null && error instanceof Refusal) await ports.states.drop(state.blob);
    throw error;
  }
}

/** Reads the whole file. A null `census`: the profile had no state. */
async function inspect(
  { archetypes }: ProfileStatePorts,
  { file, keyOf }: Sent,
): Promise<{ readonly about: About; readonly census: StateCensus | null }> {
  try {
    const { about, archive } = await readExport(openExport(file.read(), keyOf));
    const census = about.has_state ? await inspectState(archive) : await nothingIn(archive);
    if (!archetypes.archetypes.some(({ id }) => id === about.archetype))
      throw new ExportInvalid('The profile has an archetype that this service does not know.');
    return { about, census };
  } catch (error) {
    if (!(error instanceof ExportInvalid || error instanceof StateArchiveInvalid)) throw error;
    const message = `must be an exported profile: ${error.message.replace(/\.$/, '')}`;
    throw invalid({ path: '/body/data', code: 'export', message });
  }
}

/** Reads to the end, where a truncated file is detected. */
async function nothingIn(archive: AsyncIterable<Uint8Array>): Promise<null> {
  for await (const { length } of archive)
    if (length > 0) throw new ExportInvalid('The file declares no state but contains one.');
  return null;
}

async function keep(
  { states }: ProfileStatePorts,
  { tier }: Owner,
  { file, keyOf }: Sent,
  { profileId, census }: { readonly profileId: ProfileId; readonly census: StateCensus },
): Promise<SavedState> {
  const { archive } = await readExport(openExport(file.read(), keyOf));
  try {
    return { ...(await keepArchive(states, profileId, 1, archive)), census };
  } catch (error) {
    if (!(error instanceof StateNotKept && error.reason === 'too_large')) throw notKept(error);
    const bytes = { used_bytes: file.bytes, cap_bytes: largestState };
    throw refuse('storage-quota-exceeded', error.message, { ...bytes, tier });
  }
}
