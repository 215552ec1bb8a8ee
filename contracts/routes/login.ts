import type { Route } from '../route.ts';
import * as auth from '../resources/login.ts';
import { accepted, area, created, noContent, ok } from './rows.ts';

const { write } = area({ tag: 'Authentication', reads: [], writes: [], accountHeader: 'ignored' });

/** Routes without a credential, each of which may send a mail. */
const sends = { scopes: null, bucket: 'auth:send' } as const;
/** Routes without a credential, each of which tries a password or a token. */
const tries = { scopes: null, bucket: 'auth:attempt' } as const;
const isAccepted = accepted(
  auth.Accepted,
  'Accepted. A mail is sent if there is an account for it; the answer is the same if there is none.',
);
const signedIn = ok(
  auth.SignedIn,
  'Signed in: the tokens, also as cookies. Or a second factor is required first.',
);

export const authRoutes = [
  write('POST /v1/auth/signup', 'auth.signup', {
    ...tries,
    summary: 'Sign up; the address is verified by a mail',
    body: auth.SignUp,
    success: created(
      auth.SignedUp,
      'The account is created. Its address must be verified before signing in.',
    ),
    problems: ['email-already-registered'],
  }),
  write('POST /v1/auth/verify-email', 'auth.verify-email', {
    ...tries,
    summary: 'Verify the address of an account with the link in a mail',
    body: auth.TokenBody,
    success: ok(auth.Verified, 'The address is verified.'),
    problems: ['invalid-auth-token'],
  }),
  write('POST /v1/auth/verify-email/resend', 'auth.verify-email.resend', {
    ...sends,
    summary: 'Send the verification link again; the previous one stops working',
    body: auth.EmailBody,
    success: isAccepted,
    problems: [],
  }),
  write('POST /v1/auth/login', 'auth.login', {
    ...tries,
    summary: 'Sign in with address and password',
    body: auth.Login,
    success: signedIn,
    problems: ['invalid-credentials', 'email-not-verified'],
  }),
  write('POST /v1/auth/logout', 'auth.logout', {
    ...tries,
    summary: 'Sign out: the session ends and its tokens stop working; idempotent',
    body: auth.RefreshBody,
    bodyRequired: false,
    success: noContent('Signed out.'),
    problems: [],
  }),
  write('POST /v1/auth/refresh', 'auth.refresh', {
    ...tries,
    summary: 'Exchange a refresh token for a new access token and refresh token',
    body: auth.RefreshBody,
    bodyRequired: false,
    success: ok(auth.SignedInTokens, 'The tokens, also as cookies.'),
    problems: ['invalid-auth-token'],
  }),
  write('POST /v1/auth/magic-link/request', 'auth.magic-link.request', {
    ...sends,
    summary: 'Send a sign-in link; the previous one stops working',
    body: auth.EmailBody,
    success: isAccepted,
    problems: [],
  }),
  write('POST /v1/auth/magic-link/consume', 'auth.magic-link.consume', {
    ...tries,
    summary: 'Sign in with the link in a mail',
    body: auth.TokenBody,
    success: signedIn,
    problems: ['invalid-auth-token'],
  }),
  write('POST /v1/auth/password-reset/request', 'auth.password-reset.request', {
    ...sends,
    summary: 'Send a link to set a new password; the previous one stops working',
    body: auth.EmailBody,
    success: isAccepted,
    problems: [],
  }),
  write('POST /v1/auth/password-reset/confirm', 'auth.password-reset.confirm', {
    ...tries,
    summary: 'Set a new password with the link in a mail; every session of the account ends',
    body: auth.ConfirmPasswordReset,
    success: ok(auth.PasswordReset, 'The password is set.'),
    problems: ['invalid-auth-token'],
  }),
  write('POST /v1/auth/merge/confirm', 'auth.merge.confirm', {
    ...tries,
    summary: 'Confirm a second way to sign in with the link in the mail',
    body: auth.TokenBody,
    success: ok(auth.Confirmed, 'The second way to sign in is confirmed.'),
    problems: ['invalid-auth-token'],
  }),
] as const satisfies readonly Route[];
