import { teamRoles } from '../events/team-member.ts';
import { idSchema } from '../ids.ts';
import { Type, Timestamp, closed, oneOf, requestBody, type Static } from '../schema.ts';

const Role = oneOf(teamRoles);

export const CreateInvitation = requestBody({
  /** Validated by the rule for addresses of accounts. */
  email: Type.String({ minLength: 3, maxLength: 320 }),
  role: Role,
});

export const AcceptInvitation = requestBody({ token: Type.String({ minLength: 1, maxLength: 512 }) });

const ShownEmail = Type.String({
  description:
    '`erased` once the account is erased; `unreadable` while the service lacks the key of the address.',
});

/** An open invitation. The token is only in the mail. */
export const Invitation = closed({
  id: idSchema('invitation'),
  email: ShownEmail,
  role: Role,
  expires_at: Timestamp,
  created_at: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

/** A membership of the credential's account on another account's team. */
export const Membership = closed({
  owner_account_id: idSchema('account'),
  role: Role,
  membership_id: idSchema('membership'),
});
export type Membership = Static<typeof Membership>;

export const TeamMember = closed({
  membership_id: idSchema('membership'),
  account_id: idSchema('account'),
  email: ShownEmail,
  role: Role,
  joined_at: Timestamp,
});
export type TeamMember = Static<typeof TeamMember>;

export const TeamOwner = closed({
  owner_account_id: idSchema('account'),
  email: ShownEmail,
  role: Role,
  membership_id: idSchema('membership'),
});
export type TeamOwner = Static<typeof TeamOwner>;
