import { invitedEmail } from '../../contracts/events/team-member.ts';
import type { MailId } from '../../contracts/ids.ts';
import { isOfSubscriber, type AccountMail, type MailFacts, type QueuedMail } from '../../domain/mail.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { openWithOwnKey } from '../../infra/vault/own-key.ts';
import { ownAddress } from '../account/email.ts';
import { openSealed } from '../engine/open-sealed.ts';
import type { Runner } from '../engine/runner.ts';
import { subscriberAddress } from '../status/subscriber-address.ts';
import type { MailToQueue, OpenedMail } from './facts.ts';
import type { SubscriberLink } from './links.ts';

/** The context of a sealed text: its own mail, so that it cannot be moved to another. */
const fieldOf = (mailId: MailId, what: 'secrets' | 'recipient'): string => `${mailId} ${what}`;

type Sealed = Pick<AccountMail, 'sealedSecrets' | 'sealedTo'>;

/** Seals secret and personal facts with the account's data key. Rejects with `AccountErased`. */
export async function sealMail(
  vault: Pick<Vault, 'seal'>,
  mailId: MailId,
  message: MailToQueue,
): Promise<Sealed> {
  const seal = (what: 'secrets' | 'recipient', text: string) =>
    vault.seal(message.accountId, fieldOf(mailId, what), text);
  const { to } = message;
  return {
    ...('secrets' in message && {
      sealedSecrets: await seal('secrets', JSON.stringify(message.secrets)),
    }),
    ...(to !== undefined && { sealedTo: await seal('recipient', to) }),
  };
}

export interface OpeningPorts {
  readonly runner: Pick<Runner, 'load'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly subscriberLink: SubscriberLink;
}

/** The mail with its facts opened. Undefined once the account is erased. */
export async function openMail(
  { vault, subscriberLink }: Pick<OpeningPorts, 'vault' | 'subscriberLink'>,
  queued: QueuedMail,
): Promise<OpenedMail | undefined> {
  if (isOfSubscriber(queued)) {
    const facts = { ...queued.facts, link: subscriberLink('confirm', queued) };
    return { ...queued, facts, accountId: null };
  }
  const { mailId, accountId, template, facts, sealedSecrets, expiresAt } = queued;
  const clear = { mailId, accountId, template, expiresAt };
  if (sealedSecrets === undefined) return { ...clear, facts };
  const secrets = await openSealed(vault, accountId, fieldOf(mailId, 'secrets'), sealedSecrets);
  if (secrets === null) return undefined;
  return { ...clear, facts: { ...facts, ...(JSON.parse(secrets) as MailFacts) } };
}

/**
 * The recipient's address; null once the account is erased or the invitation has ended, and if the subscription has ended or never
 * existed.
 */
export async function recipientOf(
  ports: Omit<OpeningPorts, 'subscriberLink'>,
  queued: QueuedMail,
): Promise<string | null> {
  if (isOfSubscriber(queued)) return subscriberAddress(ports, queued.subscriber, queued.subscriptionId);
  const { mailId, accountId, sealedTo } = queued;
  if (sealedTo === undefined) return ownAddress(ports, accountId);
  const to = await openSealed(ports.vault, accountId, fieldOf(mailId, 'recipient'), sealedTo);
  return to === null ? null : openWithOwnKey(ports.vault, invitedEmail, to);
}
