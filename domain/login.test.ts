import { expect } from 'chai';
import type { LoginEvent } from '../contracts/events/login.ts';
import { awaitsVerification, epochOf, login, loginMails, type LoginCommand } from './login.ts';
import { commandBuilders, deciderSpec, eventBuilders, reactionSpec } from './testing/index.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-05T12:00:00.000Z';
const soon = '2026-01-05T12:29:59.999Z';
const expiresAt = '2026-01-05T12:30:00.000Z';
const [one, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const merge = { nonce: '00000000-0000-4000-8000-00000000000c', expiresAt };
const attempt = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const event = eventBuilders<LoginEvent>({
  SignedUp: { accountId, sealedPasswordHash: 'sealed', at },
  OneTimeTokenIssued: { accountId, purpose: 'verification', nonce: one, expiresAt, at },
  EmailVerified: { accountId, at },
  MagicLinkUsed: { accountId, at },
  UnprovenPasswordDropped: { accountId, epoch: 1, at },
  PasswordReset: { accountId, sealedPasswordHash: 'sealed anew', epoch: 1, at },
  SignInMethodAdded: { accountId, method: 'magic_link', confirmed: false, at },
  SignInMethodConfirmed: { accountId, method: 'magic_link', at },
  SignInFailed: { accountId, attemptId: attempt(1), count: 1, at },
});
const command = commandBuilders<LoginCommand>({
  SignUp: { accountId, sealedPasswordHash: 'sealed', verification: { nonce: one, expiresAt }, at },
  IssueToken: { accountId, purpose: 'magic_link', token: { nonce: one, expiresAt }, at },
  VerifyEmail: { accountId, nonce: one, at },
  UseMagicLink: { accountId, nonce: one, merge, at },
  ResetPassword: { accountId, nonce: one, sealedPasswordHash: 'sealed anew', merge, at },
  ConfirmMethod: { accountId, nonce: merge.nonce, at },
  RecordFailedSignIn: { accountId, attemptId: attempt(1), at },
});
const { given } = deciderSpec(login);
const token = (purpose: 'verification' | 'magic_link' | 'password_reset', nonce = one) =>
  event.OneTimeTokenIssued({ purpose, nonce });
const mergeToken = event.OneTimeTokenIssued({ purpose: 'merge', nonce: merge.nonce });

const signedUp = [event.SignedUp(), token('verification')];
const verified = [...signedUp, event.EmailVerified()];
const merging = [
  ...verified,
  token('magic_link'),
  event.MagicLinkUsed(),
  event.SignInMethodAdded(),
  mergeToken,
];

describe('a sign-up', () => {
  it('sets a password and sends a link, once', () => {
    given().when(command.SignUp()).then(event.SignedUp(), token('verification'));
    given(...signedUp)
      .when(command.SignUp())
      .nothing();
  });

  it('that comes late sets no password on an account with a verified address', () => {
    given(token('magic_link'), event.MagicLinkUsed()).when(command.SignUp()).nothing();
  });

  it('awaits verification until the address is proven', () => {
    given(...signedUp)
      .when(command.VerifyEmail())
      .leaves((state) => expect(awaitsVerification(state)).to.equal(false));
  });

  it('sends another link only while the address is unproven and a password awaits it', () => {
    const resend = command.IssueToken({ purpose: 'verification', token: { nonce: other, expiresAt } });
    given(...signedUp)
      .when(resend)
      .then(token('verification', other));
    given(...verified)
      .when(resend)
      .nothing();
    given().when(resend).nothing();
  });
});

for (const { what, history, use } of [
  { what: 'verification', history: signedUp, use: command.VerifyEmail },
  { what: 'magic link', history: [...verified, token('magic_link')], use: command.UseMagicLink },
  { what: 'password reset', history: [...verified, token('password_reset')], use: command.ResetPassword },
  { what: 'merge', history: merging, use: command.ConfirmMethod },
] as const)
  describe(`the token of a ${what}`, () => {
    const { nonce } = use();
    it('works until it expires', () => {
      given(...history)
        .when(use({ at: soon }))
        .leaves(() => undefined);
      given(...history)
        .when(use({ at: expiresAt }))
        .refused('invalid-auth-token');
    });

    it('works once', () => {
      given(...history)
        .when(use())
        .leaves((state) => expect(() => login.decide(use(), state)).to.throw('has been used'));
    });

    it('does not work before it was issued, nor in the place of another one', () => {
      given().when(use()).refused('invalid-auth-token');
      given(...history)
        .when(use({ nonce: other }))
        .refused('invalid-auth-token');
    });

    it('is superseded by the next of its purpose', () => {
      const last = history.findLast(
        (each) => each.type === 'OneTimeTokenIssued' && each.data.nonce === nonce,
      );
      if (last?.type !== 'OneTimeTokenIssued') throw new Error('No token was issued.');
      const next = event.OneTimeTokenIssued({ purpose: last.data.purpose, nonce: other });
      given(...history, next)
        .when(use())
        .refused('invalid-auth-token');
      given(...history, next)
        .when(use({ nonce: other }))
        .leaves(() => undefined);
    });
  });

describe('the first magic link', () => {
  it('of an account without a password becomes its confirmed way to sign in, and proves the address', () => {
    given(token('magic_link'))
      .when(command.UseMagicLink())
      .then(event.MagicLinkUsed(), event.SignInMethodAdded({ confirmed: true }));
  });

  it('of an account with a password is unconfirmed, and its owner gets a mail', () => {
    given(...verified, token('magic_link'))
      .when(command.UseMagicLink())
      .then(event.MagicLinkUsed(), event.SignInMethodAdded(), mergeToken);
  });

  it('of an account with an unverified password verifies the address, and drops the password and the link that would have', () => {
    const history = [...signedUp, token('magic_link', other)];
    const use = command.UseMagicLink({ nonce: other });
    given(...history)
      .when(use)
      .then(
        event.MagicLinkUsed(),
        event.EmailVerified(),
        event.UnprovenPasswordDropped(),
        event.SignInMethodAdded({ confirmed: true }),
      );
    given(...history)
      .when(use)
      .leaves((state) => {
        expect([state.sealedPasswordHash, state.verified, epochOf(state)]).to.deep.equal([null, true, 1]);
        expect(() => login.decide(command.VerifyEmail(), state)).to.throw('has been used');
      });
  });
});

describe('a second way to sign in', () => {
  const usedAgain = [...merging, token('magic_link', other)];
  const again = command.UseMagicLink({ nonce: other, merge: { nonce: other, expiresAt } });

  it('is confirmed by the link of the mail about it', () => {
    given(...merging)
      .when(command.ConfirmMethod())
      .then(event.SignInMethodConfirmed());
  });

  it('keeps working unconfirmed, without another mail while that link works', () => {
    given(...usedAgain)
      .when(again)
      .then(event.MagicLinkUsed());
  });

  it('causes another mail when it is used after that link has expired', () => {
    const late = { at: '2026-01-05T12:30:00.000Z', expiresAt: '2026-01-05T13:00:00.000Z' };
    const issued = { purpose: 'magic_link', nonce: other, ...late } as const;
    given(...merging, event.OneTimeTokenIssued(issued))
      .when(
        command.UseMagicLink({
          nonce: other,
          merge: { nonce: other, expiresAt: late.expiresAt },
          at: late.at,
        }),
      )
      .then(event.MagicLinkUsed({ at: late.at }), event.OneTimeTokenIssued({ ...issued, purpose: 'merge' }));
  });

  it('causes no further mail once it is confirmed', () => {
    given(...merging, event.SignInMethodConfirmed(), token('magic_link', other))
      .when(again)
      .then(event.MagicLinkUsed());
  });

  it('can be a password, set by a reset on an account that had none', () => {
    const byLink = [token('magic_link'), event.MagicLinkUsed(), event.SignInMethodAdded({ confirmed: true })];
    given(...byLink, token('password_reset'))
      .when(command.ResetPassword())
      .then(event.PasswordReset(), event.SignInMethodAdded({ method: 'password' }), mergeToken);
  });
});

describe('a password reset', () => {
  it('on an account created by the operator sets up its first way to sign in', () => {
    given(token('password_reset'))
      .when(command.ResetPassword())
      .then(event.PasswordReset(), event.SignInMethodAdded({ method: 'password', confirmed: true }));
  });

  it('on a sign-up that awaits verification verifies its address', () => {
    given(...signedUp, token('password_reset', other))
      .when(command.ResetPassword({ nonce: other }))
      .then(event.PasswordReset(), event.EmailVerified());
    given(...verified, token('password_reset', other))
      .when(command.ResetPassword({ nonce: other }))
      .then(event.PasswordReset());
  });

  it('replaces the password, proves the address, ends sessions and leaves no link that works', () => {
    given(...signedUp, token('magic_link', other), token('password_reset'))
      .when(command.ResetPassword())
      .leaves((state) => {
        expect([state.sealedPasswordHash, state.verified]).to.deep.equal(['sealed anew', true]);
        expect([state.tokens, epochOf(state)]).to.deep.equal([{}, 1]);
      });
  });
});

describe('wrong passwords', () => {
  const failures = (count: number) =>
    Array.from({ length: count }, (_, n) => event.SignInFailed({ count: n + 1, attemptId: attempt(n + 1) }));

  it('are counted, each once', () => {
    given().when(command.RecordFailedSignIn()).then(event.SignInFailed());
    given(...failures(1))
      .when(command.RecordFailedSignIn())
      .nothing();
    given(...failures(1))
      .when(command.RecordFailedSignIn({ attemptId: attempt(2) }))
      .then(event.SignInFailed({ count: 2, attemptId: attempt(2) }));
  });

  it('are recorded up to the tenth of an hour, and from the first again afterwards', () => {
    const next = { attemptId: attempt(11) };
    given(...failures(10))
      .when(command.RecordFailedSignIn(next))
      .nothing();
    given(...failures(10))
      .when(command.RecordFailedSignIn({ ...next, at: '2026-01-05T12:59:59.999Z' }))
      .nothing();
    const hourLater = { ...next, at: '2026-01-05T13:00:00.000Z' };
    given(...failures(10))
      .when(command.RecordFailedSignIn(hourLater))
      .then(event.SignInFailed(hourLater));
  });

  it('are forgotten by a reset', () => {
    given(...verified, ...failures(10), event.PasswordReset())
      .when(command.RecordFailedSignIn({ attemptId: attempt(11) }))
      .then(event.SignInFailed({ attemptId: attempt(11) }));
  });
});

describe('the mails of a login', () => {
  const { when } = reactionSpec(loginMails);

  it('are one for each link, and one at the tenth wrong password', () => {
    when(token('verification')).then({
      type: 'SendLink',
      purpose: 'verification',
      accountId,
      token: { nonce: one, expiresAt },
    });
    when(event.SignInFailed({ count: 9 })).nothing();
    when(event.SignInFailed({ count: 10 })).then({ type: 'TellOfAttempts', accountId });
  });

  it('are none for anything else', () => {
    when(event.SignedUp(), event.EmailVerified(), event.MagicLinkUsed(), event.PasswordReset()).nothing();
  });
});
