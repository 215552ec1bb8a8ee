import type { ActiveProfile } from '../../domain/profile/state.ts';
import { assertFree } from '../../domain/profile/profile.ts';
import { spool, type Spooled } from '../../infra/platform/spool.ts';
import { StateUnreadable, sealExport } from '../../infra/profile-states/index.ts';
import { now, type CommandContext } from '../engine/context.ts';
import { exportContent, longestAbout, type About } from './export-file.ts';
import { run } from './find.ts';
import { unreadable, type ProfileStatePorts } from './state-ports.ts';

export interface Exported {
  /** The caller closes it. */
  readonly file: Spooled;
  /** The generated passphrase; undefined if the caller gave one. */
  readonly passphrase: string | undefined;
  readonly position: Awaited<ReturnType<typeof run>>['position'];
}

/**
 * The profile with its state, as a file encrypted with the passphrase. The file is completely written before the answer begins,
 * and the export is recorded before it is sent. After a crash in between only the event exists.
 */
export async function exportProfile(
  ports: ProfileStatePorts,
  found: ActiveProfile,
  given: string | undefined,
  context: CommandContext,
): Promise<Exported> {
  const { accountId, state } = assertFree(found);
  const release = ports.exportedBytes.acquire(accountId, longestAbout + (state?.bytes ?? 0));
  const passphrase = given ?? ports.newPassphrase();
  let file: Spooled | undefined;
  try {
    file = await ports.exports.hold(accountId, () =>
      spool(ports.spoolDirectory, sealExport(contentOf(ports, found), { passphrase })),
    );
    const { bytes, sha256, close } = file;
    const command = { type: 'RecordExport', bytes, sha256, at: now(ports) } as const;
    const { position } = await run(ports, found, command, context, 'export');
    const sent = { ...file, close: () => close().finally(release) };
    return { file: sent, passphrase: given === undefined ? passphrase : undefined, position };
  } catch (error) {
    await file?.close();
    release();
    throw error instanceof StateUnreadable ? await unreadable(ports, found, error) : error;
  }
}

async function* contentOf(
  { states }: ProfileStatePorts,
  { profileId, archetype, description, state }: ActiveProfile,
): AsyncGenerator<Uint8Array> {
  const about: About = { archetype, description, has_state: state !== null };
  yield* exportContent(about, state === null ? nothing() : await states.open(profileId, state));
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A profile that was never saved has no archive.
}
