import { uuidOf, type AccountId, type MailId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { isOfSubscriber, type AccountMail, type MailFacts, type QueuedMail } from '../../domain/mail.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Runner } from '../engine/runner.ts';
import { subscriberAddress } from '../status/subscriber-address.ts';
import type { MailToQueue, OpenedMail } from './facts.ts';
import type { SubscriberLink } from './links.ts';

/** What a text is sealed for: its own mail, so that no event can pass it off as another's. */
const fieldOf = (mailId: MailId, what: 'secrets' | 'recipient'): string => `${mailId} ${what}`;

type Sealed = Pick<AccountMail, 'sealedSecrets' | 'sealedTo'>;

/** Seals what is secret or of a person with the account's data key. Rejects with `AccountErased`. */
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

/** The mail with its facts in clear. Undefined once the account is erased. */
export async function openMail(
  { vault, subscriberLink }: Pick<OpeningPorts, 'vault' | 'subscriberLink'>,
  queued: QueuedMail,
): Promise<OpenedMail | undefined> {
  if (isOfSubscriber(queued)) {
    const facts = { ...queued.facts, link: subscriberLink('confirm', queued) };
    return { ...queued, facts, accountId: null };
  }
  const { mailId, accountId, template, facts, sealedSecrets, expiresAt } = queued;
  const opened = { mailId, accountId, template, expiresAt };
  if (sealedSecrets === undefined) return { ...opened, facts };
  const secrets = await vault.open(accountId, fieldOf(mailId, 'secrets'), sealedSecrets);
  if ('erased' in secrets) return undefined;
  return { ...opened, facts: { ...facts, ...(JSON.parse(secrets.text) as MailFacts) } };
}

/** The recipient's address. Undefined once the account is erased, or the subscription has ended, or when it never was. */
export async function recipientOf(
  ports: Omit<OpeningPorts, 'subscriberLink'>,
  queued: QueuedMail,
): Promise<string | undefined> {
  if (isOfSubscriber(queued)) return subscriberAddress(ports, queued.subscriber, queued.subscriptionId);
  const { vault } = ports;
  const { mailId, accountId, sealedTo } = queued;
  if (sealedTo === undefined) return addressOf(ports, accountId);
  const opened = await vault.open(accountId, fieldOf(mailId, 'recipient'), sealedTo);
  return 'text' in opened ? opened.text : undefined;
}

async function addressOf(
  { runner, vault }: Omit<OpeningPorts, 'subscriberLink'>,
  accountId: AccountId,
): Promise<string | undefined> {
  const { state } = await runner.load(account, uuidOf(accountId), { cached: true });
  if (state.status === 'none') return undefined;
  const opened = await vault.open(accountId, 'email', state.sealedEmail);
  return 'text' in opened ? opened.text : undefined;
}
