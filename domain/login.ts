import { hourMs } from '../contracts/durations.ts';
import {
  loginEvents,
  signInMethods,
  type LoginEvent,
  type SignInMethod,
  type TokenPurpose,
} from '../contracts/events/login.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse, type Refusal } from '../contracts/problems.ts';
import { byType, decideBy, type ByType, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

/** The nonce of a one-time token, and its expiry, ISO 8601. */
export interface NewToken {
  readonly nonce: string;
  readonly expiresAt: string;
}

/**
 * The sign-in methods of an account's owner. An account made by the operator has none: its owner signs in by a magic link, or
 * sets a password by a reset.
 */
export interface Login {
  readonly sealedPasswordHash: string | null;
  /** True once a link mailed to the address was opened. */
  readonly verified: boolean;
  readonly methods: Readonly<Partial<Record<SignInMethod, 'confirmed' | 'unconfirmed'>>>;
  /** The one valid token of each purpose. */
  readonly tokens: Readonly<Partial<Record<TokenPurpose, NewToken>>>;
  /** Web sessions of a lower epoch have ended. */
  readonly epoch: number;
  readonly failures: {
    readonly count: number;
    readonly since: string;
    readonly lastAttemptId: string;
  } | null;
}

type OfAccount<Fields> = Fields & { readonly accountId: AccountId };

export type LoginCommand = CommandsOf<{
  SignUp: OfAccount<{ sealedPasswordHash: string; verification: NewToken }>;
  IssueToken: OfAccount<{ purpose: 'verification' | 'magic_link' | 'password_reset'; token: NewToken }>;
  /** `nonce`: the presented token was derived from it. Likewise below. */
  VerifyEmail: OfAccount<{ nonce: string }>;
  UseMagicLink: OfAccount<{ nonce: string; merge: NewToken }>;
  ResetPassword: OfAccount<{ nonce: string; sealedPasswordHash: string; merge: NewToken }>;
  ConfirmMethod: OfAccount<{ nonce: string }>;
  RecordFailedSignIn: OfAccount<{ attemptId: string }>;
}>;

/** Wrong passwords within the window after which the owner gets a mail. Further ones are not recorded. */
const noticedFailures = 10;
const failureWindowMs = hourMs;

export const tokenRefused = (): Refusal =>
  refuse(
    'invalid-auth-token',
    'The link has been used, was replaced by a newer one, or has expired. Request a new one.',
  );

const rules: Rules<Login, LoginCommand, LoginEvent> = {
  /**
   * Does nothing once the address is verified: the account then belongs to the owner of the address, who did not choose this
   * password.
   */
  SignUp(state, { accountId, sealedPasswordHash, verification, at }) {
    if (state.verified || state.sealedPasswordHash !== null) return [];
    return [
      { type: 'SignedUp', data: { accountId, sealedPasswordHash, at } },
      issued(accountId, 'verification', verification, at),
    ];
  },
  IssueToken(state, { accountId, purpose, token, at }) {
    if (purpose === 'verification' && !awaitsVerification(state)) return [];
    return state.tokens[purpose]?.nonce === token.nonce ? [] : [issued(accountId, purpose, token, at)];
  },
  VerifyEmail(state, { accountId, nonce, at }) {
    assertCurrent(state, 'verification', nonce, at);
    return [{ type: 'EmailVerified', data: { accountId, at } }];
  },
  UseMagicLink(state, { accountId, nonce, merge, at }) {
    assertCurrent(state, 'magic_link', nonce, at);
    const used: LoginEvent[] = [{ type: 'MagicLinkUsed', data: { accountId, at } }];
    if (awaitsVerification(state))
      used.push(
        { type: 'EmailVerified', data: { accountId, at } },
        { type: 'UnprovenPasswordDropped', data: { accountId, epoch: state.epoch + 1, at } },
      );
    const afterwards = used.reduce(evolve, state);
    return [...used, ...methodUsed(afterwards, 'magic_link', { accountId, merge, at })];
  },
  ResetPassword(state, { accountId, nonce, sealedPasswordHash, merge, at }) {
    assertCurrent(state, 'password_reset', nonce, at);
    const data = { accountId, sealedPasswordHash, epoch: state.epoch + 1, at };
    const reset: LoginEvent[] = [{ type: 'PasswordReset', data }];
    if (awaitsVerification(state)) reset.push({ type: 'EmailVerified', data: { accountId, at } });
    const afterwards = reset.reduce(evolve, state);
    return [...reset, ...methodUsed(afterwards, 'password', { accountId, merge, at })];
  },
  ConfirmMethod(state, { accountId, nonce, at }) {
    assertCurrent(state, 'merge', nonce, at);
    return signInMethods
      .filter((method) => state.methods[method] === 'unconfirmed')
      .map((method) => ({ type: 'SignInMethodConfirmed', data: { accountId, method, at } }));
  },
  RecordFailedSignIn({ failures }, { accountId, attemptId, at }) {
    if (failures?.lastAttemptId === attemptId) return [];
    const isRecent = failures !== null && Date.parse(at) - Date.parse(failures.since) < failureWindowMs;
    const count = isRecent ? failures.count + 1 : 1;
    if (count > noticedFailures) return [];
    return [{ type: 'SignInFailed', data: { accountId, attemptId, count, at } }];
  },
};

/** True for a sign-up whose address is not verified. */
export const awaitsVerification = ({ verified, sealedPasswordHash }: Login): boolean =>
  !verified && sealedPasswordHash !== null;

const issued = (accountId: AccountId, purpose: TokenPurpose, token: NewToken, at: string): LoginEvent => ({
  type: 'OneTimeTokenIssued',
  data: { accountId, purpose, ...token, at },
});

/** Refuses a token that was used, superseded by a later one, or has expired. */
function assertCurrent({ tokens }: Login, purpose: TokenPurpose, nonce: string, at: string): void {
  const current = tokens[purpose];
  if (current?.nonce !== nonce || !isBefore(at, current.expiresAt)) throw tokenRefused();
}

/**
 * The first method is confirmed at once. A second one starts unconfirmed, and the owner is mailed a link to confirm
 * it; used again after that link has expired, the method causes another mail.
 */
function methodUsed(
  { methods, tokens }: Login,
  method: SignInMethod,
  { accountId, merge, at }: { accountId: AccountId; merge: NewToken; at: string },
): LoginEvent[] {
  if (methods[method] === 'confirmed') return [];
  const isNew = methods[method] === undefined;
  const confirmed = isNew && Object.keys(methods).length === 0;
  const added: LoginEvent = { type: 'SignInMethodAdded', data: { accountId, method, confirmed, at } };
  const isMailDue = !confirmed && !(tokens.merge && isBefore(at, tokens.merge.expiresAt));
  return [...(isNew ? [added] : []), ...(isMailDue ? [issued(accountId, 'merge', merge, at)] : [])];
}

export const login: Decider<Login, LoginCommand, LoginEvent> = {
  category: loginEvents,
  initialState: {
    sealedPasswordHash: null,
    verified: false,
    methods: {},
    tokens: {},
    epoch: 0,
    failures: null,
  },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
};

const evolutions: ByType<LoginEvent, Login, [state: Login]> = {
  SignedUp: ({ sealedPasswordHash }, state) => ({
    ...state,
    sealedPasswordHash,
    methods: { ...state.methods, password: 'confirmed' },
  }),
  OneTimeTokenIssued: ({ purpose, nonce, expiresAt }, state) => ({
    ...state,
    tokens: { ...state.tokens, [purpose]: { nonce, expiresAt } },
  }),
  EmailVerified: (_data, state) => ({
    ...state,
    verified: true,
    tokens: without(state.tokens, 'verification'),
  }),
  MagicLinkUsed: (_data, state) => ({
    ...state,
    verified: true,
    tokens: without(state.tokens, 'magic_link', 'verification'),
  }),
  UnprovenPasswordDropped: ({ epoch }, state) => ({
    ...state,
    sealedPasswordHash: null,
    methods: without(state.methods, 'password'),
    epoch,
  }),
  /** Voids every earlier link. */
  PasswordReset: ({ sealedPasswordHash, epoch }, state) => ({
    ...state,
    sealedPasswordHash,
    verified: true,
    tokens: {},
    epoch,
    failures: null,
  }),
  SignInMethodAdded: ({ method, confirmed }, state) => ({
    ...state,
    methods: { ...state.methods, [method]: confirmed ? 'confirmed' : 'unconfirmed' },
  }),
  SignInMethodConfirmed: ({ method }, state) => ({
    ...state,
    methods: { ...state.methods, [method]: 'confirmed' },
    tokens: without(state.tokens, 'merge'),
  }),
  SignInFailed: ({ count, attemptId: lastAttemptId, at }, state) => {
    const since = count === 1 ? at : (state.failures?.since ?? at);
    return { ...state, failures: { count, since, lastAttemptId } };
  },
};

function evolve(state: Login, event: LoginEvent): Login {
  return byType(evolutions, event, state) ?? state;
}

/** All entries but those of the given keys. */
const without = <Key extends string, Value>(
  all: Readonly<Partial<Record<Key, Value>>>,
  ...keys: readonly Key[]
): Readonly<Partial<Record<Key, Value>>> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key as Key))) as Partial<
    Record<Key, Value>
  >;

/** The epoch of a web session opened now. */
export const epochOf = ({ epoch }: Login): number => epoch;

/** The mails to the owner that an event causes, with the nonce of the link. */
export type LoginMail =
  | {
      readonly type: 'SendLink';
      readonly purpose: TokenPurpose;
      readonly accountId: AccountId;
      readonly token: NewToken;
    }
  | { readonly type: 'TellOfAttempts'; readonly accountId: AccountId };

export function loginMails({ type, data }: LoginEvent): readonly LoginMail[] {
  if (type === 'OneTimeTokenIssued') {
    const { accountId, purpose, nonce, expiresAt } = data;
    return [{ type: 'SendLink', purpose, accountId, token: { nonce, expiresAt } }];
  }
  if (type === 'SignInFailed' && data.count === noticedFailures)
    return [{ type: 'TellOfAttempts', accountId: data.accountId }];
  return [];
}
