import { Readable } from 'node:stream';
import type { ProfileCommands } from '../../commands/profile/index.ts';
import type { ProfileStateCommands } from '../../commands/profile/states.ts';
import type { SessionCommands } from '../../commands/session/index.ts';
import { exportFormat, presentProfile } from '../../contracts/resources/profile.ts';
import { base64Of } from '../../infra/platform/base64.ts';
import type { Spooled } from '../../infra/platform/spool.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';
import { creation } from '../session/session.ts';

type StateRoutes = 'profiles.launch' | 'profiles.import' | 'profiles.export' | 'profiles.trim';

interface Commands {
  readonly sessions: SessionCommands;
  readonly profiles: Pick<ProfileCommands, 'find' | 'findEvenTrashed'>;
  readonly profileStates: ProfileStateCommands;
}

/** The routes that start a session with a profile, and those of its saved state. */
export function profileStateHandlers(
  { sessions, profiles, profileStates: states }: Commands,
  { answering, answeringOn }: Handling,
  idempotently: Idempotently,
): HandlersOf<StateRoutes> {
  const onProfile = answeringOn(({ accountId }, id) => profiles.find(accountId, id));
  // A replayed launch gets its first answer, even if its profile is in the trash by now.
  const onPresent = answeringOn(({ accountId }, id) => profiles.findEvenTrashed(accountId, id));
  return {
    'profiles.launch': onPresent(({ caller, found, body, request }) => {
      const { label } = body;
      const launch = { profile_id: found.profileId, ...(label !== undefined && { label }) };
      const call = { caller, body: launch, request, identity: launch };
      return idempotently('profiles.launch', call, creation(sessions, call));
    }),
    'profiles.import': answering(async ({ caller, body, file }) => {
      const { profile, position } = await states.import(caller, body, file, caller.context);
      return { body: presentProfile(profile), position };
    }),
    'profiles.export': onProfile(async ({ caller, found, body }) => {
      const { file, passphrase, position } = await states.export(found, body.passphrase, caller.context);
      const headers = { 'Content-Type': 'application/json' };
      return { headers, body: exportedBody(file, passphrase), position };
    }),
    'profiles.trim': onProfile(async ({ caller, found, body }) => {
      const { trimmed, position } = await states.trim(found, body, caller.context);
      return { body: trimmed, position };
    }),
  };
}

/** `ExportedProfile`, written while the file is read. */
function exportedBody(file: Spooled, passphrase: string | undefined): Readable {
  const { bytes: byte_size, sha256 } = file;
  const facts = JSON.stringify({ format: exportFormat, byte_size, sha256, passphrase });
  const text = async function* () {
    yield `${facts.slice(0, -1)},"data":"`;
    yield* base64Of(file.read());
    yield '"}';
  };
  return Readable.from(text(), { objectMode: false }).once('close', () => void file.close());
}
