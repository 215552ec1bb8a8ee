import { acceptTerms } from '../commands/account/accept-terms.ts';
import { createDeviceGrantCommands } from '../commands/device-grant/index.ts';
import type { Runner } from '../commands/engine/runner.ts';
import { createSecondFactorCommands } from '../commands/second-factor/index.ts';
import { createWebSessionCommands, type WebSessionPorts } from '../commands/web-session/index.ts';
import type { AccessTokens } from '../infra/credentials/access-tokens.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Handling } from './engine/handling.ts';
import { signInReplies } from './engine/sign-in-reply.ts';
import { legalHandlers } from './legal.ts';
import { mfaHandlers } from './mfa.ts';
import { oauthHandlers } from './oauth.ts';

/** Durations in milliseconds. */
export interface PeopleOptions {
  readonly signIn: Pick<WebSessionPorts, 'vault' | 'refreshMs' | 'freshMs'> & {
    readonly tokens: AccessTokens;
  };
  readonly deviceFlow: {
    /** How long the owner of a device may take to approve it. */
    readonly ttlMs: number;
    /** The page on which they type its code. */
    readonly verificationUri: string;
  };
  /** The revision of the terms that is in force; empty: none is. */
  readonly termsRevision: string;
  /** The address clients know the service by. */
  readonly baseUrl?: string | undefined;
  readonly pepper: string;
  readonly clock: Clock;
}

/** What people do, and no API key: they sign in, confirm that it is still they, let devices in, and accept terms. */
export function createPeople(options: PeopleOptions, runner: Runner) {
  const { signIn, deviceFlow, pepper, clock } = options;
  const webSessions = createWebSessionCommands({ ...signIn, runner, clock, pepper });
  const ports = { runner, clock, pepper, webSessions };
  const secondFactor = createSecondFactorCommands({ ...signIn, ...ports });
  const deviceGrants = createDeviceGrantCommands({
    ...ports,
    ttlMs: deviceFlow.ttlMs,
    epochOf: async () => 0,
  });
  const replies = signInReplies({ baseUrl: options.baseUrl, refreshMs: signIn.refreshMs });
  return {
    webSessions,
    secondFactor,
    handlers: (handling: Handling) => ({
      ...mfaHandlers(secondFactor, replies, handling),
      ...oauthHandlers(deviceGrants, deviceFlow.verificationUri, handling),
      ...legalHandlers(acceptTerms.bind(null, { runner, clock }), options.termsRevision, handling),
    }),
  };
}
