import type { IssuedTokens } from '../../commands/web-session/index.ts';
import { hasSecureCookies } from '../../contracts/web-cookies.ts';
import { signInCookies, signOutCookies, type Reply } from '../../infra/http/index.ts';

export interface SignInReplies {
  /** The reply to a sign-in or refresh: the tokens, in the body and as cookies. */
  readonly signedIn: (issued: IssuedTokens, mfaEnrolled: boolean) => Reply;
  readonly signedOut: (reply?: Reply) => Reply;
}

interface Options {
  /** The public base URL of the service. */
  readonly baseUrl: string | undefined;
  readonly refreshMs: number;
}

export function signInReplies({ baseUrl, refreshMs }: Options): SignInReplies {
  const secure = hasSecureCookies(baseUrl);
  return {
    signedIn(issued, mfaEnrolled) {
      const { accessToken, refreshToken, expiresInSeconds, position } = issued;
      const refreshSeconds = Math.floor(refreshMs / 1000);
      const tokens = { accessToken, refreshToken, accessSeconds: expiresInSeconds, refreshSeconds };
      return {
        body: {
          access_token: accessToken,
          refresh_token: refreshToken,
          expires_in: expiresInSeconds,
          mfa_enrolled: mfaEnrolled,
        },
        cookies: signInCookies(tokens, secure),
        position,
      };
    },
    signedOut: (reply = {}) => ({ ...reply, cookies: signOutCookies(secure) }),
  };
}
