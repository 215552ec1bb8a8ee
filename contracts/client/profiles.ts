import type { Call } from './call.ts';
import type { Connection } from './connection.ts';
import { profiles as operations, type ProfilesOperations } from './generated/areas.ts';
import type * as t from './generated/types.ts';
import type { CallOptions } from './options.ts';
import { handlesOn, type SessionHandle } from './sessions.ts';

export interface ProfilesArea extends Omit<ProfilesOperations, 'launch'> {
  /** Start a session bound to the profile; returns once the browser is ready. */
  launch(id: string, body?: t.LaunchProfile, options?: CallOptions): Call<SessionHandle>;
}

/** Profiles: browser state kept across sessions. */
export function profiles(connection: Connection): ProfilesArea {
  const own = operations(connection);
  const handle = handlesOn(connection);
  return {
    ...own,
    launch: (id, body, options) => own.launch(id, body, options).map(handle),
  };
}
