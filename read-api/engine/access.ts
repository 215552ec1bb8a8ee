import type { AccountEvent } from '../../contracts/events/account.ts';
import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import type { LoginEvent } from '../../contracts/events/login.ts';
import type { TeamMemberEvent } from '../../contracts/events/team-member.ts';
import type { WebSessionEvent } from '../../contracts/events/web-session.ts';
import { parseId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Reader } from './credentials.ts';

/** The credential and membership that a stream was admitted by. */
export type Access = Pick<Reader, 'accountId' | 'actorId' | 'credentialId'>;

/** Event types that can end access, by category. */
export type AccessEvent = AccountEvent | ApiKeyEvent | LoginEvent | TeamMemberEvent | WebSessionEvent;
/** True if an event of the type ends this access. */
type Ends = {
  readonly [Type in AccessEvent['type']]?: (
    data: Extract<AccessEvent, { type: Type }>['data'],
    access: Access,
  ) => boolean;
};

type OfAccount = { readonly accountId: string };
const ofEither = ({ accountId }: OfAccount, access: Access) =>
  [access.accountId, access.actorId].some((each) => each === accountId);
/** Web sessions end with their login epoch. */
const ofSessions = ({ accountId }: OfAccount, { actorId, credentialId }: Access) =>
  actorId === accountId && parseId('webSession', credentialId) !== undefined;

const ends: Ends = {
  AccountSuspended: ofEither,
  AccountErased: ofEither,
  ApiKeyRevoked: ({ apiKeyId }, { credentialId }) => apiKeyId === credentialId,
  ApiKeyWithdrawn: ({ apiKeyId }, { credentialId }) => apiKeyId === credentialId,
  WebSessionEnded: ({ webSessionId }, { credentialId }) => webSessionId === credentialId,
  PasswordReset: ofSessions,
  UnprovenPasswordDropped: ofSessions,
  TeamMemberRemoved: ({ accountId, ownerAccountId }, access) =>
    access.actorId === accountId && access.accountId === ownerAccountId,
};

/** Types of events that can end access. */
export const accessTypes = Object.keys(ends);
/** Prefixes of streams whose events can end access. */
export const accessPrefixes = ['account-', 'api_key-', 'login-', 'team_member-', 'web_session-'];

/** Whether the event ends access. Only their own writers append to these categories, validated against the schemas. */
export function endsAccess({ type, data }: Pick<RecordedEvent, 'type' | 'data'>, access: Access): boolean {
  const ofType = (ends as Readonly<Record<string, ((data: unknown, access: Access) => boolean) | undefined>>)[
    type
  ];
  return ofType?.(data, access) ?? false;
}
