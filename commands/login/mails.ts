import type { TokenPurpose } from '../../contracts/events/login.ts';
import type { LoginMail } from '../../domain/login.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { CommandContext } from '../engine/context.ts';
import { queueMail, type ConsoleLink, type ConsolePage, type QueuePorts } from '../mail/index.ts';
import { tokenText } from './tokens.ts';

export interface LoginMailPorts extends QueuePorts {
  readonly oneTimeTokens: Pick<OneTimeTokens, 'textOf'>;
  readonly link: ConsoleLink;
}

const mailOf = {
  verification: { template: 'account-verification', page: 'verify' },
  magic_link: { template: 'magic-link', page: 'magic' },
  password_reset: { template: 'password-reset', page: 'reset' },
  merge: { template: 'sign-in-merge', page: 'merge' },
} as const satisfies Record<TokenPurpose, { template: string; page: ConsolePage }>;

/** Queues the mail that a login's event requests; idempotent. */
export async function queueLoginMail(
  ports: LoginMailPorts,
  mail: LoginMail,
  context: CommandContext,
): Promise<void> {
  const { accountId } = mail;
  if (mail.type === 'TellOfAttempts')
    return queueMail(ports, { accountId, template: 'sign-in-attempts', facts: {} }, context);
  const { purpose, token } = mail;
  const { template, page } = mailOf[purpose];
  const link = ports.link(page, tokenText(ports.oneTimeTokens, accountId, purpose, token));
  const { expiresAt } = token;
  return queueMail(ports, { accountId, template, facts: {}, secrets: { link }, expiresAt }, context);
}
