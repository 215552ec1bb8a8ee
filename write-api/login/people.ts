import { acceptTerms } from '../../commands/account/accept-terms.ts';
import { createDeviceGrantCommands } from '../../commands/device-grant/index.ts';
import type { Runner } from '../../commands/engine/runner.ts';
import { createLoginCommands, type LoginPorts } from '../../commands/login/index.ts';
import { createSecondFactorCommands } from '../../commands/second-factor/index.ts';
import { createWebSessionCommands, type WebSessionPorts } from '../../commands/web-session/index.ts';
import type { AccessTokens } from '../../infra/credentials/access-tokens.ts';
import { keyedUuid, type Peppers } from '../../infra/keys/index.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { RateLimits } from '../../infra/rate-limits/index.ts';
import { authHandlers, linkHandlers } from './login.ts';
import type { Handling } from '../engine/handling.ts';
import { signInReplies } from '../engine/sign-in-reply.ts';
import { legalHandlers } from '../account/legal.ts';
import { mfaHandlers } from './second-factor.ts';
import { oauthHandlers } from './device-grant.ts';

/** Durations in milliseconds. */
export interface PeopleOptions extends Pick<WebSessionPorts, 'clock'>, Pick<LoginPorts, 'logger'> {
  readonly peppers: Peppers;
  readonly signIn: Pick<WebSessionPorts, 'vault' | 'refreshMs' | 'freshMs'> &
    Pick<LoginPorts, 'passwords' | 'lifetimesMs' | 'termsRevision'> & { readonly tokens: AccessTokens };
  readonly deviceFlow: {
    /** How long the owner of a device may take to approve it. */
    readonly ttlMs: number;
    /** The page on which they type its code. */
    readonly verificationUri: string;
  };
  readonly rateLimits: Pick<RateLimits, 'signIns' | 'mails'>;
  /** The address clients know the service by. */
  readonly baseUrl?: string | undefined;
}

/** The routes for people, not API keys: log-in, step-up, devices, and the terms. */
export function createPeople(options: PeopleOptions, runner: Runner) {
  const { signIn, deviceFlow, clock } = options;
  const { webSessions, secondFactor, logins, deviceGrants } = createCommands(options, runner);
  const replies = signInReplies({ baseUrl: options.baseUrl, refreshMs: signIn.refreshMs });
  const auth = { logins, webSessions, tokens: signIn.tokens, replies };
  return {
    webSessions,
    secondFactor,
    handlers: (handling: Handling) => ({
      ...authHandlers(auth, handling),
      ...linkHandlers(auth, handling),
      ...mfaHandlers(secondFactor, replies, handling),
      ...oauthHandlers(deviceGrants, deviceFlow.verificationUri, handling),
      ...legalHandlers(acceptTerms.bind(null, { runner, clock }), signIn.termsRevision, handling),
    }),
  };
}

function createCommands(
  { signIn, deviceFlow, rateLimits, peppers, clock, logger }: PeopleOptions,
  runner: Runner,
) {
  const webSessions = createWebSessionCommands({ ...signIn, runner, clock, peppers });
  const ports = { runner, clock, peppers, logger, webSessions };
  const secondFactor = createSecondFactorCommands({ ...signIn, ...ports });
  const logins = createLoginCommands({
    ...signIn,
    ...ports,
    seal: signIn.vault.seal,
    emailUuid: (email) => keyedUuid(email, peppers.naming),
    oneTimeTokens: createOneTimeTokens(peppers),
    delays: rateLimits.signIns,
    mails: rateLimits.mails,
    secondFactors: secondFactor,
  });
  const deviceGrants = createDeviceGrantCommands({
    ...ports,
    ttlMs: deviceFlow.ttlMs,
    epochOf: logins.currentEpoch,
  });
  return { webSessions, secondFactor, logins, deviceGrants };
}
