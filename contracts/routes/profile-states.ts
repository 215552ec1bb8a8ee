import { largestState } from '../profile-state.ts';
import * as profile from '../resources/profile.ts';
import { Session } from '../resources/session.ts';
import type { Route } from '../route.ts';
import { area, created, idParam, ok } from './rows.ts';

const { write } = area({ tag: 'Profiles', reads: ['read'], writes: ['write'] });
const params = idParam('`prof_<uuid>`, or the bare uuid');

/** Operations on the saved state of a profile. */
export const profileStateRoutes = [
  write('POST /v1/profiles/import', 'profiles.import', {
    summary: 'Create a profile from an exported one',
    body: profile.ImportProfile,
    spools: { field: 'data', mostBytes: largestState },
    success: created(profile.Profile, 'The profile, with the state of the exported one.'),
    problems: ['conflict', 'storage-quota-exceeded', 'tier-limit'],
  }),
  write('POST /v1/profiles/{id}/launch', 'profiles.launch', {
    summary: 'Start a session with the profile',
    params,
    body: profile.LaunchProfile,
    bodyRequired: false,
    idempotencyKey: true,
    bucket: 'sessions:create',
    success: created(Session, 'The session, ready.'),
    problems: [
      'not-found',
      'conflict',
      'profile-in-use',
      'storage-quota-exceeded',
      'concurrency-limit',
      'session-destroyed',
      'driver-error',
      'driver-not-integrated',
      'session-timeout',
    ],
  }),
  write('POST /v1/profiles/{id}/export', 'profiles.export', {
    stepUp: true,
    summary: 'Export a profile with its state as a sealed file',
    params,
    body: profile.ExportProfile,
    bodyRequired: false,
    success: ok(profile.ExportedProfile, 'The sealed file.'),
    problems: ['not-found', 'conflict', 'profile-in-use', 'driver-error'],
  }),
  write('POST /v1/profiles/{id}/trim', 'profiles.trim', {
    summary: 'Drop parts of the saved state',
    params,
    body: profile.TrimProfile,
    bodyRequired: false,
    success: ok(profile.Trimmed, 'Sealed bytes before and after.'),
    problems: ['not-found', 'conflict', 'profile-in-use', 'driver-error'],
  }),
] as const satisfies readonly Route[];
