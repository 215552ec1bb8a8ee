import { Type, Timestamp, closed, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';

export const SessionVideoToken = closed({
  ws_url: Type.String(),
  /** The session's id. */
  room: idSchema('session'),
  /** JWT, HS256. */
  token: Type.String(),
  participant_identity: Type.String(),
  expires_at: Timestamp,
});
export type SessionVideoToken = Static<typeof SessionVideoToken>;
