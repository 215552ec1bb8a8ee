import { invitedEmail, teamMemberEvents, type TeamMemberEvent } from '../../contracts/events/team-member.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { teamMember } from '../../domain/team-member.ts';
import type { EventStore, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { OneTimeTokens, TokenClaim } from '../../infra/keys/one-time-tokens.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { ownAddress } from '../account/index.ts';
import type { CommandContext } from '../engine/context.ts';
import { openSealed } from '../engine/open-sealed.ts';
import { hasKnownType } from '../engine/recording.ts';
import type { Runner } from '../engine/runner.ts';
import type { ConsoleLink } from '../mail/links.ts';
import { queueMail, type QueuePorts } from '../mail/queue.ts';

/** The token of an invitation to a seat. Its text is only in the mail. */
export const invitationToken = (seat: string, tokenId: string): TokenClaim => ({
  purpose: 'team invitation',
  subject: seat,
  nonce: tokenId,
});

export interface InvitationPorts extends QueuePorts {
  readonly runner: Runner;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly tokens: Pick<OneTimeTokens, 'textOf'>;
  readonly consoleLink: ConsoleLink;
}

/**
 * Queues the mail of an invitation. Token and mail id derive from the event, so it is queued once, however often this runs. An
 * expired invitation gets no mail.
 */
export async function queueInvitation(
  ports: InvitationPorts,
  invited: DataOf<TeamMemberEvent, 'TeamMemberInvited'>,
  context: CommandContext,
): Promise<void> {
  const { runner, vault, tokens, consoleLink } = ports;
  const { ownerAccountId: accountId, membershipId, sealedEmail, tokenId, role, expiresAt } = invited;
  const seat = uuidOf(membershipId);
  const { state } = await runner.load(teamMember, seat);
  if (state.status !== 'invited' || state.tokenId !== tokenId) return;
  // Still sealed with the invitation's own key, so that the mail's copy of the address is erased with the invitation's.
  const [to, owner_email] = await Promise.all([
    openSealed(vault, accountId, invitedEmail, sealedEmail),
    ownAddress(ports, accountId),
  ]);
  if (to === null || owner_email === null) return;
  const link = consoleLink('invite', tokens.textOf(invitationToken(seat, tokenId)));
  const secrets = { link, owner_email };
  const message = { accountId, template: 'team-invitation', facts: { role }, secrets, expiresAt } as const;
  await queueMail(ports, { ...message, to }, context);
}

export interface ForgettingPorts {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Pick<Vault, 'forget'>;
}

/**
 * Destroys the keys of a seat's invitations before an event that ends them: accepted, withdrawn, expired or replaced. Their
 * addresses are then erased from the log and from their mails.
 */
export async function forgetEarlier({ store, vault }: ForgettingPorts, ending: RecordedEvent): Promise<void> {
  for await (const event of store.readStream(ending.stream)) {
    if (event.revision >= ending.revision) return;
    if (hasKnownType<TeamMemberEvent>(teamMemberEvents, event) && event.type === 'TeamMemberInvited')
      await vault.forget(event.data.tokenId);
  }
}
