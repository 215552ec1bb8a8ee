import type { Logger } from 'pino';
import type { TokenPurpose } from '../../contracts/events/login.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { Passwords } from '../../infra/passwords/index.ts';
import type { MailLimits } from '../../infra/rate-limits/mails.ts';
import type { SignInDelays } from '../../infra/rate-limits/sign-in-delays.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { AccountPorts } from '../account/index.ts';
import type { WebSessionCommands } from '../web-session/index.ts';

/** Second factors, as used by sign-in. */
export interface SecondFactors {
  readonly isEnrolled: (accountId: AccountId) => Promise<boolean>;
  /**
   * Proof of the first factor for `POST /v1/auth/mfa/login`.
   *
   * @param epoch login epoch when the first factor was checked; the proof is void once it is raised
   */
  readonly issueToken: (accountId: AccountId, epoch: number) => Promise<string>;
}

export interface LoginPorts extends AccountPorts {
  readonly vault: Pick<Vault, 'open'>;
  readonly passwords: Passwords;
  readonly oneTimeTokens: OneTimeTokens;
  /** Lifetime of each mail's link, in milliseconds. */
  readonly lifetimesMs: Readonly<Record<TokenPurpose, number>>;
  /** The revision of the terms that a sign-up must accept; empty accepts any. */
  readonly termsRevision: string;
  readonly delays: SignInDelays;
  readonly mails: Pick<MailLimits, 'toRecipient'>;
  readonly webSessions: Pick<WebSessionCommands, 'open'>;
  /** Undefined: no account has one. */
  readonly secondFactors?: SecondFactors | undefined;
  readonly logger: Logger;
}
