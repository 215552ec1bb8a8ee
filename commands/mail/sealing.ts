import type { AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import type { MailFacts, QueuedMail } from '../../domain/mail.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Runner } from '../engine/runner.ts';
import type { MailToQueue, OpenedMail } from './facts.ts';

const fields = { secrets: 'mail_secrets', to: 'mail_to' } as const;

type Sealed = Pick<QueuedMail, 'sealedSecrets' | 'sealedTo'>;

/** Seals what is secret or of a person with the account's data key. Rejects with `AccountErased`. */
export async function sealMail(vault: Pick<Vault, 'seal'>, message: MailToQueue): Promise<Sealed> {
  const seal = (field: string, text: string) => vault.seal(message.accountId, field, text);
  const { to } = message;
  return {
    ...('secrets' in message && {
      sealedSecrets: await seal(fields.secrets, JSON.stringify(message.secrets)),
    }),
    ...(to !== undefined && { sealedTo: await seal(fields.to, to) }),
  };
}

export interface OpeningPorts {
  readonly runner: Pick<Runner, 'load'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** The mail with its facts in clear. Undefined once the account is erased. */
export async function openMail(
  { vault }: Pick<OpeningPorts, 'vault'>,
  { mailId, accountId, template, facts, sealedSecrets, expiresAt }: QueuedMail,
): Promise<OpenedMail | undefined> {
  const opened = { mailId, accountId, template, expiresAt };
  if (sealedSecrets === undefined) return { ...opened, facts };
  const secrets = await vault.open(accountId, fields.secrets, sealedSecrets);
  if ('erased' in secrets) return undefined;
  return { ...opened, facts: { ...facts, ...(JSON.parse(secrets.text) as MailFacts) } };
}

/** The recipient's address. Undefined once the account is erased, or when it never was. */
export async function recipientOf(
  ports: OpeningPorts,
  { accountId, sealedTo }: Pick<QueuedMail, 'accountId' | 'sealedTo'>,
): Promise<string | undefined> {
  const { vault } = ports;
  if (sealedTo === undefined) return addressOf(ports, accountId);
  const opened = await vault.open(accountId, fields.to, sealedTo);
  return 'text' in opened ? opened.text : undefined;
}

async function addressOf({ runner, vault }: OpeningPorts, accountId: AccountId): Promise<string | undefined> {
  const { state } = await runner.load(account, uuidOf(accountId), { cached: true });
  if (state.status === 'none') return undefined;
  const opened = await vault.open(accountId, 'email', state.sealedEmail);
  return 'text' in opened ? opened.text : undefined;
}
