import type { ProfileCommands } from '../../commands/profile/index.ts';
import type { ProfileStateCommands } from '../../commands/profile/states.ts';
import type { SessionCommands } from '../../commands/session/index.ts';
import { presentProfile } from '../../contracts/resources/profile.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';
import { creation } from '../session/session.ts';
import { exportedBody } from './exported-body.ts';

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
