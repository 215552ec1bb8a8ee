import type { LoginCommands, SignIn } from '../../commands/login/index.ts';
import { ownedContext } from '../../commands/engine/context.ts';
import type { WebSessionCommands } from '../../commands/web-session/index.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { AccountId, WebSessionId } from '../../contracts/ids.ts';
import type { RouteIdOn } from '../../contracts/routes/index.ts';
import type { AccessTokens } from '../../infra/credentials/access-tokens.ts';
import { cookieOf, credentialIn, type Reply, type RequestFacts } from '../../infra/http/index.ts';
import { accepted } from '../engine/accepted.ts';
import { anyoneContext } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { SignInReplies } from '../engine/sign-in-reply.ts';

export interface AuthPorts {
  readonly logins: LoginCommands;
  readonly webSessions: WebSessionCommands;
  readonly tokens: Pick<AccessTokens, 'readAccess'>;
  readonly replies: SignInReplies;
}

type SignInRoutes = `auth.${'signup' | 'login' | 'refresh' | 'logout'}`;
type LinkRoutes = Exclude<Extract<RouteIdOn<'write'>, `auth.${string}`>, SignInRoutes>;

/** The routes to sign up, in and out. */
export function authHandlers(ports: AuthPorts, { answeringAnyone }: Handling): HandlersOf<SignInRoutes> {
  const { logins, webSessions, replies } = ports;
  return {
    'auth.signup': answeringAnyone(async ({ body, request }) => {
      const { email, password, legal_revision: revision } = body;
      const signUp = { email, password, revision };
      const { accountId, position } = await logins.signUp(signUp, anyoneContext(request));
      return { body: { account_id: accountId, verification_required: true }, position };
    }),
    'auth.login': answeringAnyone(async ({ body, request }) =>
      signedIn(ports, await logins.signIn(body, request, anyoneContext(request))),
    ),
    'auth.refresh': answeringAnyone(async ({ body, request }) => {
      // An empty text is refused like any invalid token.
      const text = refreshTokenIn(request, body) ?? '';
      const context = anyoneContext(request);
      const issued = await webSessions.refresh(text, 'web_session', request, logins.currentEpoch, context);
      return replies.signedIn(issued, await logins.hasSecondFactor(issued.accountId));
    }),
    'auth.logout': answeringAnyone(async ({ body, request }) =>
      replies.signedOut(await endSession(ports, request, body)),
    ),
  };
}

/** The routes that send links by mail, and the targets of the links. */
export function linkHandlers(ports: AuthPorts, { answeringAnyone }: Handling): HandlersOf<LinkRoutes> {
  const { logins } = ports;
  const requesting = (purpose: Parameters<LoginCommands['requestLink']>[0]) =>
    answeringAnyone(({ body, request }: { body: { email: string }; request: RequestFacts }) =>
      accepted(logins.requestLink(purpose, body.email, anyoneContext(request))),
    );
  return {
    'auth.verify-email': answeringAnyone(async ({ body, request }) => ({
      ...(await logins.verifyEmail(body.token, anyoneContext(request))),
      body: { status: 'verified' },
    })),
    'auth.verify-email.resend': requesting('verification'),
    'auth.magic-link.request': requesting('magic_link'),
    'auth.magic-link.consume': answeringAnyone(async ({ body, request }) =>
      signedIn(ports, await logins.useMagicLink(body.token, request, anyoneContext(request))),
    ),
    'auth.password-reset.request': requesting('password_reset'),
    'auth.password-reset.confirm': answeringAnyone(async ({ body, request }) => ({
      ...(await logins.resetPassword(body, anyoneContext(request))),
      body: { status: 'password_reset' },
    })),
    'auth.merge.confirm': answeringAnyone(async ({ body, request }) => ({
      ...(await logins.confirmMerge(body.token, anyoneContext(request))),
      body: { status: 'confirmed' },
    })),
  };
}

const signedIn = ({ replies }: AuthPorts, outcome: SignIn): Reply =>
  'issued' in outcome
    ? replies.signedIn(outcome.issued, false)
    : { body: { mfa_required: true, mfa_token: outcome.mfaToken } };

/** The body may be absent. */
type RefreshBody = { readonly refresh_token?: string } | undefined;

const refreshTokenIn = (request: RequestFacts, body: RefreshBody): string | undefined =>
  body?.refresh_token ?? cookieOf(request, 'refresh');

/** Ends the sessions of the request's tokens. An invalid token ends nothing and is not an error. */
async function endSession(
  { webSessions, tokens }: AuthPorts,
  request: RequestFacts,
  body: RefreshBody,
): Promise<Reply> {
  const refresh = refreshTokenIn(request, body);
  const ofRefresh = refresh === undefined ? undefined : await webSessions.sessionOf(refresh);
  const found = ofRefresh ?? (await sessionOfAccess(tokens, request));
  if (!found) return {};
  const { webSessionId, accountId } = found;
  return { position: await webSessions.end(webSessionId, ownedContext(anyoneContext(request), accountId)) };
}

async function sessionOfAccess(
  tokens: AuthPorts['tokens'],
  request: RequestFacts,
): Promise<{ readonly webSessionId: WebSessionId; readonly accountId: AccountId } | undefined> {
  try {
    const claims = await tokens.readAccess(credentialIn(request));
    return typeof claims === 'string' ? undefined : claims;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
