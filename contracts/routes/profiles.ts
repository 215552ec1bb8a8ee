import * as profile from '../resources/profile.ts';
import type { Route } from '../route.ts';
import { ListQuery, accepted, area, created, idParam, noContent, ok } from './rows.ts';

const { write, list, detail } = area({ tag: 'Profiles', reads: ['read'], writes: ['write'] });
const params = idParam('`prof_<uuid>`, or the bare uuid');
const snapshotParams = idParam('`psnap_<uuid>`');

/** Browser identities that outlive their sessions, and snapshots of their names. */
export const profileRoutes = [
  write('POST /v1/profiles', 'profiles.create', {
    summary: 'Create a profile',
    body: profile.CreateProfile,
    success: created(profile.Profile, 'The profile.'),
    problems: ['conflict', 'tier-limit'],
  }),
  {
    ...list('/v1/profiles', 'profiles.list', profile.Profile, 'profiles'),
    query: { ...ListQuery, ...profile.ProfileFilter },
  },
  list('/v1/profiles/trash', 'profiles.trash', profile.TrashedProfile, {
    summary: 'List the profiles in the trash, newest first',
    answer: 'A page of trashed profiles.',
  }),
  ...detail('/v1/profiles/{id}', 'profiles', profile.Profile, 'profile', { params }),
  write('PATCH /v1/profiles/{id}', 'profiles.update', {
    summary: 'Change the name or the description of a profile',
    params,
    body: profile.UpdateProfile,
    success: ok(profile.Profile, 'The profile as it is now.'),
    problems: ['not-found', 'conflict'],
  }),
  write('DELETE /v1/profiles/{id}', 'profiles.trash-one', {
    summary: 'Move a profile to the trash, where it is purged after 30 days',
    params,
    success: noContent('The profile is in the trash; its name is free.'),
    problems: ['not-found', 'profile-in-use'],
  }),
  write('POST /v1/profiles/{id}/restore', 'profiles.restore', {
    summary: 'Take a profile out of the trash',
    params,
    success: ok(profile.Profile, 'The profile.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  write('DELETE /v1/profiles/{id}/purge', 'profiles.purge', {
    summary: 'Permanently delete a profile in the trash, with its state',
    params,
    success: noContent('The profile is deleted.'),
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/profiles/{id}/clone', 'profiles.clone', {
    summary: 'Create a profile of the same archetype and description, without state',
    params,
    body: profile.CloneProfile,
    bodyRequired: false,
    success: created(profile.Profile, 'The new profile.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  write('POST /v1/profiles/{id}/transfer', 'profiles.transfer', {
    stepUp: true,
    scopes: ['account_owner'],
    summary: 'Transfer a profile to another account, which has seven days to accept it',
    params,
    body: profile.TransferProfile,
    success: accepted(profile.Transfer, 'The offer, or the completed transfer.'),
    problems: ['not-found', 'conflict', 'profile-in-use', 'tier-limit'],
  }),
  write('POST /v1/profiles/{id}/transfer/accept', 'profiles.accept-transfer', {
    summary: 'Accept a profile that another account has offered',
    params,
    success: ok(profile.Profile, 'The profile.'),
    problems: ['not-found', 'conflict', 'profile-in-use', 'tier-limit'],
  }),
  write('POST /v1/profiles/{id}/snapshots', 'profile-snapshots.create', {
    summary: 'Capture the name and archetype of a profile as a snapshot',
    params,
    body: profile.CaptureSnapshot,
    success: created(profile.ProfileSnapshot, 'The snapshot.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  {
    ...list('/v1/profiles/{id}/snapshots', 'profile-snapshots.list-of-profile', profile.ProfileSnapshot, {
      summary: 'List the snapshots of a profile, newest first',
      answer: 'A page of snapshots.',
    }),
    params,
    problems: ['bad-request', 'not-found'],
  },
  list('/v1/profile-snapshots', 'profile-snapshots.list', profile.ProfileSnapshot, {
    summary: 'List all snapshots of the account, newest first',
    answer: 'A page of snapshots.',
  }),
  ...detail('/v1/profile-snapshots/{id}', 'profile-snapshots', profile.ProfileSnapshot, 'snapshot', {
    params: snapshotParams,
  }),
  write('POST /v1/profile-snapshots/{id}/restore', 'profile-snapshots.restore', {
    summary: 'Create a profile from a snapshot; the original is unchanged',
    params: snapshotParams,
    body: profile.RestoreSnapshot,
    success: created(profile.Profile, 'The new profile.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  write('DELETE /v1/profile-snapshots/{id}', 'profile-snapshots.delete', {
    summary: 'Delete a snapshot',
    params: snapshotParams,
    success: noContent('The snapshot is deleted.'),
    problems: ['not-found'],
  }),
] as const satisfies readonly Route[];
