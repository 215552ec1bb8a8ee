import type { Route } from '../route.ts';
import { SignedInTokens } from '../resources/login.ts';
import * as mfa from '../resources/second-factor.ts';
import { area, noContent, ok } from './rows.ts';

const { write } = area({
  tag: 'Authentication',
  reads: [],
  writes: ['account_owner'],
  accountHeader: 'ignored',
});

/** A second factor belongs to a person: only the person's own web session can change it, regardless of the account's gates. */
const own = { credentials: ['web_session'], ungated: ['suspension', 'terms'] } as const;
const wrongCode = ['invalid-credentials', 'rate-limited'] as const;

export const mfaRoutes = [
  write('POST /v1/auth/mfa/enroll', 'mfa.enroll', {
    ...own,
    summary: 'Begin to enrol a second factor; its secret is shown once',
    success: ok(mfa.MfaEnrolment, 'The secret. It takes effect once a code of it is confirmed.'),
    problems: ['conflict'],
  }),
  write('POST /v1/auth/mfa/confirm', 'mfa.confirm', {
    ...own,
    summary: 'Confirm the second factor with a code; recovery codes are shown once',
    body: mfa.MfaCode,
    success: ok(mfa.MfaRecoveryCodes, 'The second factor is enrolled.'),
    problems: ['conflict', ...wrongCode],
  }),
  write('POST /v1/auth/mfa/disable', 'mfa.disable', {
    ...own,
    summary: 'Disable the second factor',
    body: mfa.MfaDisableCode,
    success: noContent('The account has no second factor.'),
    problems: ['conflict', ...wrongCode],
  }),
  write('POST /v1/auth/mfa/step-up', 'mfa.step-up', {
    ...own,
    summary: 'Confirm your identity with a code; routes that require this work for ten minutes',
    body: mfa.MfaCode,
    success: ok(mfa.MfaFreshness, 'The web session is fresh until then.'),
    problems: ['conflict', ...wrongCode],
  }),
  write('POST /v1/auth/mfa/login', 'mfa.login', {
    summary: 'Sign in with the second factor, after the first',
    scopes: null,
    bucket: 'auth:attempt',
    body: mfa.MfaLogin,
    success: ok(SignedInTokens, 'Signed in. The web session is fresh.'),
    problems: ['conflict', 'invalid-auth-token', ...wrongCode],
  }),
] as const satisfies readonly Route[];
