import { Type, Timestamp, closed, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('account');
/** Web sessions opened under a lower epoch have ended. */
const epoch = Type.Integer({ minimum: 1 });

/** An argon2id hash, sealed with the account's data key. */
const sealedPasswordHash = Type.String();

/** Purposes of mailed links, each used once. */
export const tokenPurposes = ['verification', 'magic_link', 'password_reset', 'merge'] as const;
export type TokenPurpose = (typeof tokenPurposes)[number];

export const signInMethods = ['password', 'magic_link'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/**
 * `login-<uuid of the account>`: the owner's ways to sign in. Contains no one-time tokens: a token's text derives from its nonce,
 * with the deployment's pepper.
 */
export const loginEvents = category(
  'login',
  {
    /** A sign-up with the address and a password. The address is not verified yet. */
    SignedUp: closed({ ...of, sealedPasswordHash }),
    /** Replaces the previous token of the same purpose. */
    OneTimeTokenIssued: closed({
      ...of,
      purpose: oneOf(tokenPurposes),
      nonce: Type.String({ format: 'uuid' }),
      expiresAt: Timestamp,
    }),
    /** By the link of the sign-up's mail or, while that is open, by a magic link or a reset, whose event comes before it. */
    EmailVerified: closed(of),
    MagicLinkUsed: closed(of),
    /** The address was verified by other means than the sign-up's own mail: the password may be a stranger's. */
    UnprovenPasswordDropped: closed({ ...of, epoch }),
    PasswordReset: closed({ ...of, sealedPasswordHash, epoch }),
    /** An account's first method is confirmed; another one after the link of its mail is opened. */
    SignInMethodAdded: closed({ ...of, method: oneOf(signInMethods), confirmed: Type.Boolean() }),
    SignInMethodConfirmed: closed({ ...of, method: oneOf(signInMethods) }),
    /** A wrong password. Counted within an hour, up to the number at which the owner is notified. */
    SignInFailed: closed({
      ...of,
      attemptId: Type.String({ format: 'uuid' }),
      count: Type.Integer({ minimum: 1 }),
    }),
  },
  {
    audit: {
      SignedUp: ({ accountId }) => entry('auth.signed_up', accountId),
      // A sign-up's mail belongs to the sign-up's entry, a method's mail to the method's.
      OneTimeTokenIssued: ({ accountId, purpose }) =>
        purpose === 'magic_link' || purpose === 'password_reset'
          ? entry('auth.link_requested', accountId, { purpose })
          : null,
      EmailVerified: ({ accountId }) => entry('auth.email_verified', accountId),
      UnprovenPasswordDropped: ({ accountId }) => entry('auth.password_dropped', accountId),
      PasswordReset: ({ accountId }) => entry('auth.password_reset', accountId),
      SignInMethodAdded: ({ accountId, method, confirmed }) =>
        confirmed ? null : entry('auth.method_added', accountId, { method }),
      SignInMethodConfirmed: ({ accountId, method }) => entry('auth.method_confirmed', accountId, { method }),
      SignInFailed: ({ accountId, count }) => entry('auth.sign_in_refused', accountId, { count }),
    },
  },
);
export type LoginEvent = EventOf<typeof loginEvents>;
