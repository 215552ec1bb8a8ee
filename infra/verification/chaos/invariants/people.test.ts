import { expect } from 'chai';
import type { Evidence, LogEvent } from '../evidence/index.ts';
import { answersAreKept } from './answers.ts';
import type { Invariant } from './invariant.ts';
import { removedMembersAreOut } from './n11-removed-members.ts';
import { oneAccountAnAddress } from './n12-addresses.ts';
import { tokensWorkOnce } from './n13-single-use.ts';
import { endedSessionsAreOut } from './n14-ended-sessions.ts';
import { askedForMailsCome } from './n15-mails.ts';
import { account, done, event, inOrder, soundEvidence } from './testing/index.ts';
import {
  abandoned,
  accepting,
  act,
  email,
  invited,
  issued,
  joined,
  loginEvent,
  made,
  member,
  opened,
  queued,
  removal,
  removed,
  sent,
  signUp,
  taken,
  using,
} from './testing/people.ts';

const found = ({ violations }: Invariant, evidence: Partial<Evidence>): string =>
  violations(soundEvidence(evidence))
    .map(({ what }) => what)
    .join('; ');
const away = [{ name: 'kill postgres', from: 2_000, to: 2_050 }];

describe('the invariants about people and teams', () => {
  describe('N11', () => {
    const removedOnce = () => inOrder(invited(), joined(), removed());
    const acted = (...acts: readonly ReturnType<typeof act>[]) =>
      found(removedMembersAreOut, { log: removedOnce(), history: [removal(), ...acts] });

    it('sees an act that was sent after the removal was acknowledged, and none that was sent before', () => {
      expect(acted(act(2_050))).to.equal('');
      expect(acted(act(2_150))).to.contain('sent 50 ms after the removal was acknowledged');
      expect(acted(act(2_150, { answer: { kind: 'unknown', why: '' } }))).to.equal('');
    });

    it('sees an act in the log whose answer was lost', () => {
      const lost = act(2_150, { answer: { kind: 'unknown', why: '' } });
      const log = [
        ...removedOnce(),
        event('OrganizationDescribed', { stream: 'organization-x', requestId: 'act' }),
      ];
      expect(found(removedMembersAreOut, { log, history: [removal(), lost] })).to.contain('was done');
    });

    it('lets a member act who has joined again, or may have', () => {
      const log = inOrder(invited(), joined('first'), removed(), invited(), joined());
      const history = [removal(), accepting(3_000)];
      expect(found(removedMembersAreOut, { log, history: [...history, act(3_100)] })).to.equal('');
      expect(found(removedMembersAreOut, { log, history: [...history, act(2_900)] })).to.contain('was done');
    });

    it('excuses a read, and no write, while Postgres is away', () => {
      const sentLater = act(2_150);
      const read = { ...sentLater, target: 'GET /v1/sessions' };
      const of = (each: typeof read, faults: Evidence['faults']) =>
        found(removedMembersAreOut, { log: removedOnce(), history: [removal(), each], faults });
      expect(of(read, [])).to.contain('was done');
      expect(of(read, away)).to.equal('');
      expect(of(sentLater, away)).to.contain('was done');
    });
  });

  describe('N12', () => {
    it('sees an address with two accounts, or two sign-ups that made one, whatever its case', () => {
      const one = signUp('one');
      const other = signUp('other', { body: { email: email.toUpperCase() } });
      const refused = signUp('other', { body: { email: email.toUpperCase() }, status: 409, text: '' });
      expect(found(oneAccountAnAddress, { log: [made('one')], history: [one, refused] })).to.equal('');
      expect(found(oneAccountAnAddress, { log: [made('one')], history: [one, other] })).to.equal(
        `2 sign-ups made the account of ${email}`,
      );
      expect(
        found(oneAccountAnAddress, { log: [made('one'), made('other', member)], history: [one, refused] }),
      ).to.equal(`${email} has 2 accounts`);
    });

    it('sees an account or a login that begins twice, and a second reservation of an address', () => {
      expect(found(oneAccountAnAddress, { log: inOrder(made('one'), made('two')) })).to.equal(
        'there are 2 AccountCreated',
      );
      const signedUp = () => loginEvent('SignedUp', 'one');
      expect(found(oneAccountAnAddress, { log: inOrder(signedUp(), signedUp()) })).to.equal(
        'there are 2 SignedUp',
      );
      const reserved = () => event('EmailReserved', { stream: 'email-x' });
      const released = event('EmailReleased', { stream: 'email-x' });
      expect(found(oneAccountAnAddress, { log: inOrder(reserved(), released, reserved()) })).to.equal('');
      expect(found(oneAccountAnAddress, { log: inOrder(reserved(), reserved()) })).to.contain(
        'was reserved for',
      );
    });
  });

  describe('N13', () => {
    const verified = (requestId = 'one') => loginEvent('EmailVerified', requestId);

    it('sees one token accepted twice, or with two effects', () => {
      const history = [using('one', 'verify-email'), using('other', 'verify-email', 401)];
      const log = inOrder(issued('verification', 'up'), verified());
      expect(found(tokensWorkOnce, { log, history })).to.equal('');
      expect(
        found(tokensWorkOnce, { log, history: [using('one', 'verify-email'), using('x', 'verify-email')] }),
      ).to.equal('one token was taken 2 times by verify-email');
      const again = inOrder(
        issued('verification', 'up'),
        verified(),
        issued('verification', 'up'),
        verified('other'),
      );
      expect(found(tokensWorkOnce, { log: again, history })).to.equal('one token left 2 EmailVerified');
    });

    it('sees a magic link that opened two sessions', () => {
      const history = [using('one', 'use-magic-link'), using('other', 'use-magic-link', 401)];
      const log = [
        ...inOrder(issued('magic_link', 'ask'), loginEvent('MagicLinkUsed', 'one')),
        opened('one', 0),
        opened('other', 0),
      ];
      expect(found(tokensWorkOnce, { log, history })).to.equal('one token left 2 WebSessionOpened');
    });

    it('sees an effect without an open token: used, closed by another one, or expired', () => {
      const without = (...events: readonly LogEvent[]) =>
        found(tokensWorkOnce, { history: [], log: inOrder(...events) });
      expect(without(verified())).to.equal('EmailVerified came without a token that was open');
      expect(without(issued('verification', 'up', '2026-01-05T11:59:59.000Z'), verified())).to.contain(
        'EmailVerified',
      );
      const reset = loginEvent('PasswordReset', 'reset');
      const both = [issued('magic_link', 'ask'), issued('password_reset', 'ask')] as const;
      expect(without(...both, reset)).to.equal('');
      expect(without(...both, reset, loginEvent('MagicLinkUsed', 'late'))).to.contain('MagicLinkUsed');
      expect(without(...both, reset, verified('reset'))).to.equal('');
      expect(without(...both, reset, verified('late'))).to.contain('EmailVerified');
    });

    it('sees an invitation accepted twice, or after its member was removed', () => {
      const without = (...events: readonly LogEvent[]) =>
        found(tokensWorkOnce, { history: [], log: inOrder(...events) });
      expect(without(invited(), joined(), removed(), invited(), joined('again'))).to.equal('');
      expect(without(invited(), joined(), joined('again'))).to.contain('TeamMemberJoined');
      expect(without(invited(), joined(), removed(), joined('again'))).to.contain('TeamMemberJoined');
    });
  });

  describe('N14', () => {
    const reset = () => done('reset', 'reset-password', { sentAt: 2_000, answeredAt: 2_100 });
    const signIn = () => done('in', 'sign-in');
    const use = (sentAt: number, target = 'PUT /v1/account/me/organization') =>
      done('use', 'try-ended-session', { session: 'in', sentAt, answeredAt: sentAt + 50, target });
    const log = (epoch: number) => [opened('in', epoch), loginEvent('PasswordReset', 'reset', { epoch: 1 })];
    const used = (epoch: number, last: ReturnType<typeof use>, faults: Evidence['faults'] = []) =>
      found(endedSessionsAreOut, { log: log(epoch), history: [signIn(), reset(), last], faults });

    it('sees a request of a session after the reset that ended it was acknowledged', () => {
      expect(used(0, use(2_050))).to.equal('');
      expect(used(0, use(2_150))).to.contain('sent 50 ms after its session’s end (reset-password)');
      expect(used(1, use(2_150))).to.equal('');
    });

    it('excuses a read, and no write, while Postgres is away', () => {
      expect(used(0, use(2_150, 'GET /v1/sessions'))).to.contain('was done');
      expect(used(0, use(2_150, 'GET /v1/sessions'), away)).to.equal('');
      expect(used(0, use(2_150), away)).to.contain('was done');
    });

    it('sees a request of a session that was signed out', () => {
      const out = done('out', 'sign-out', { status: 204, session: 'in', sentAt: 2_000, answeredAt: 2_100 });
      const after = (sentAt: number) =>
        found(endedSessionsAreOut, { log: log(0), history: [signIn(), out, use(sentAt)] });
      expect(after(2_050)).to.equal('');
      expect(after(2_150)).to.contain('(sign-out)');
    });
  });

  describe('the answers', () => {
    const answered = (action: string, slug: string, changes: Partial<Evidence> = {}) =>
      found(answersAreKept, {
        history: [done('x', action, { status: 401, text: `{"type":"https://x/${slug}"}` })],
        ...changes,
      });

    it('may refuse a token that works once, and no correct password', () => {
      expect(answered('verify-email', 'invalid-auth-token')).to.equal('');
      expect(answered('sign-in', 'invalid-credentials')).to.contain('was answered 401');
    });

    it('may call an access token expired when the clock was moved forward', () => {
      expect(answered('use-session', 'expired-key')).to.contain('was answered 401');
      expect(answered('use-session', 'expired-key', { clockJumps: [{ at: 0, ms: 3_600_000 }] })).to.equal('');
      expect(answered('use-session', 'revoked-key', { clockJumps: [{ at: 0, ms: 3_600_000 }] })).to.contain(
        '401',
      );
    });
  });

  describe('N15', () => {
    const signedUp = [made('up'), issued('verification', 'up')];
    const whole = (changes: Partial<Evidence> = {}) =>
      found(askedForMailsCome, {
        log: [...signedUp, ...queued('account-verification', sent())],
        history: [signUp('up')],
        mails: [taken()],
        ...changes,
      });

    it('accepts the one mail, even in two copies', () => {
      expect(whole()).to.equal('');
      expect(whole({ mails: [taken(), taken()] })).to.equal('');
    });

    it('sees a sign-up or a request without a token, except a resend to a verified address', () => {
      expect(whole({ log: [made('up')] })).to.contain('left 0 tokens');
      const ask = (path: string, sentAt: number) =>
        done('ask', 'request-link', {
          status: 202,
          sentAt,
          target: `POST /v1/auth/${path}`,
          body: { email },
        });
      const askedAt = (sentAt: number, path: string, ...more: readonly ReturnType<typeof made>[]) =>
        whole({
          history: [signUp('up'), ask(path, sentAt)],
          log: [...signedUp, ...more, ...queued('account-verification', sent())],
        });
      const asked = askedAt.bind(null, 2_000);
      expect(asked('password-reset/request')).to.equal(
        'an acknowledged POST /v1/auth/password-reset/request left 0 tokens',
      );
      expect(askedAt(900, 'password-reset/request'), 'before the address was anybody’s').to.equal('');
      expect(asked('verify-email/resend')).to.contain('left 0 tokens');
      expect(asked('verify-email/resend', loginEvent('EmailVerified', 'v'))).to.equal('');
    });

    it('sees a mail that was not queued, or twice', () => {
      expect(whole({ log: signedUp })).to.contain(`0 mails account-verification of ${account} were queued`);
      const again = queued('account-verification', sent());
      expect(whole({ log: [...signedUp, ...queued('account-verification', sent()), ...again] })).to.contain(
        `2 mails account-verification of ${account} were queued, and 1 to 1 were asked for`,
      );
    });

    it('sees a mail that did not arrive, or went to another address', () => {
      expect(whole({ mails: [] })).to.equal('a mail (account-verification) did not come');
      expect(whole({ mails: [taken('eve@example.org')] })).to.contain('went to somebody else');
    });

    it('excuses a mail that was dropped because its link had expired only if the clock was moved forward', () => {
      const log = [...signedUp, ...queued('account-verification', abandoned('expired'))];
      expect(whole({ log, mails: [] })).to.contain('did not come');
      expect(whole({ log, mails: [], clockJumps: [{ at: 0, ms: 3_600_000 }] })).to.equal('');
      // Taken in an attempt that seemed to have failed.
      expect(whole({ log, clockJumps: [{ at: 0, ms: 3_600_000 }] })).to.equal('');
      const exhausted = [...signedUp, ...queued('account-verification', abandoned('attempts_exhausted'))];
      expect(whole({ log: exhausted, mails: [], clockJumps: [{ at: 0, ms: 3_600_000 }] })).to.contain(
        'did not come',
      );
    });

    it('sees an invitation without a mail, unless it was withdrawn', () => {
      const without = (...more: readonly LogEvent[]) =>
        found(askedForMailsCome, { history: [], log: inOrder(invited(), ...more) });
      expect(without()).to.contain(`0 mails team-invitation of ${account} were queued`);
      const withdrawn = event('TeamInvitationWithdrawn', { stream: invited().stream });
      expect(without(withdrawn)).to.equal('');
    });
  });
});
