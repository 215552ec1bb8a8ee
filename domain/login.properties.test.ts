import assert from 'node:assert/strict';
import fc from 'fast-check';
import { awaitsVerification, epochOf, login, type Login, type LoginCommand } from './login.ts';
import { idOf, laterTime, text, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';

const named = <Type extends string>(type: Type) => ({
  type: fc.constant(type),
  accountId: idOf('account', 1),
  at: time,
});
const nonce = fc.constantFrom('a', 'b').map((end) => `0197f1a0-0000-5000-8000-00000000000${end}`);
const token = fc.record({ nonce, expiresAt: laterTime });
const sealedPasswordHash = text;
const command: fc.Arbitrary<LoginCommand> = fc.oneof(
  fc.record({ ...named('SignUp'), sealedPasswordHash, verification: token }),
  fc.record({
    ...named('IssueToken'),
    purpose: fc.constantFrom('verification' as const, 'magic_link' as const, 'password_reset' as const),
    token,
  }),
  fc.record({ ...named('VerifyEmail'), nonce }),
  fc.record({ ...named('UseMagicLink'), nonce, merge: token }),
  fc.record({ ...named('ResetPassword'), nonce, sealedPasswordHash, merge: token }),
  fc.record({ ...named('ConfirmMethod'), nonce }),
  fc.record({ ...named('RecordFailedSignIn'), attemptId: fc.uuid() }),
);

const statusOf = (state: Login) =>
  state.verified
    ? ('proven' as const)
    : awaitsVerification(state)
      ? ('unproven' as const)
      : ('empty' as const);

describeDecider('a login under any sequence of commands', {
  decider: login,
  command,
  statusOf,
  transitions: [
    ['empty', 'SignedUp', 'unproven'],
    ['empty', 'OneTimeTokenIssued', 'empty'],
    ['empty', 'MagicLinkUsed', 'proven'],
    ['empty', 'PasswordReset', 'proven'],
    ['empty', 'SignInFailed', 'empty'],
    ['unproven', 'OneTimeTokenIssued', 'unproven'],
    ['unproven', 'EmailVerified', 'proven'],
    ['unproven', 'MagicLinkUsed', 'proven'],
    ['unproven', 'PasswordReset', 'proven'],
    ['unproven', 'SignInFailed', 'unproven'],
    ['proven', 'OneTimeTokenIssued', 'proven'],
    ['proven', 'MagicLinkUsed', 'proven'],
    ['proven', 'EmailVerified', 'proven'],
    ['proven', 'UnprovenPasswordDropped', 'proven'],
    ['proven', 'PasswordReset', 'proven'],
    ['proven', 'SignInMethodAdded', 'proven'],
    ['proven', 'SignInMethodConfirmed', 'proven'],
    ['proven', 'SignInFailed', 'proven'],
  ],
  invariant: (state, { type }) => {
    const hasPassword = state.sealedPasswordHash !== null;
    assert.equal(
      state.methods.password !== undefined,
      hasPassword,
      'a password that is no method, or the reverse',
    );
    if (state.verified) assert.ok(Object.values(state.methods).includes('confirmed'), 'no confirmed way in');
    if (type === 'ResetPassword') assert.ok(epochOf(state) > 0, 'a reset ended no session');
  },
});
