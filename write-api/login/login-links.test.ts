import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { uuidOf } from '../../contracts/ids.ts';
import { deviceGrantType } from '../../contracts/oauth.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { goodPassword, outcomeOf, peopleOn } from '../testing/sign-in.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const minuteMs = 60_000;
const other = 'another-otter-43-hums';

describe('the links of mails', () => {
  const clock = fixedClock();
  let side: WriteSide;
  let people: ReturnType<typeof peopleOn>;
  before(async () => {
    side = await startWriteSide({ clock });
    people = peopleOn(side);
  });
  after(() => side.close());
  const consume = (token: string) => people.post('magic-link/consume', { token });
  const reset = (token: string, password = other) =>
    people.post('password-reset/confirm', { token, password });
  const confirmMerge = (token: string) => people.post('merge/confirm', { token });
  const works = async (access: unknown) => {
    const { status } = await side.call('POST /v1/api-keys', { token: String(access), body: { name: 'any' } });
    return status !== 401;
  };
  const operators = async () => {
    const email = `${randomUUID()}@example.com`;
    const { accountId } = await side.staff.account('team', ['read'], email);
    return { email, accountId };
  };

  it('sign in once', async () => {
    const { email, accountId } = await operators();
    const token = await people.link(accountId, email, 'magic_link');
    const { status, json } = await consume(token);
    expect(status).to.equal(200);
    expect(await works(json.access_token)).to.equal(true);
    expect(outcomeOf(await consume(token))).to.equal('401 invalid-auth-token');
  });

  it('sign in once when they are opened several times at once', async () => {
    const { email, accountId } = await operators();
    const token = await people.link(accountId, email, 'magic_link');
    const answers = await Promise.all(Array.from({ length: 6 }, () => consume(token)));
    expect(answers.map(outcomeOf).sort()).to.deep.equal([
      200,
      ...Array<string>(5).fill('401 invalid-auth-token'),
    ]);
  });

  it('work for their time, and until another is asked for', async () => {
    const { email, accountId } = await people.person();
    const lifetimes = [
      ['magic_link', 15, consume],
      ['password_reset', 60, reset],
    ] as const;
    for (const [purpose, minutes, use] of lifetimes) {
      const first = await people.link(accountId, email, purpose);
      const second = await people.link(accountId, email, purpose);
      expect(outcomeOf(await use(first)), purpose).to.equal('401 invalid-auth-token');
      clock.advance(minutes * minuteMs);
      expect(outcomeOf(await use(second)), purpose).to.equal('401 invalid-auth-token');
      const third = await people.link(accountId, email, purpose);
      clock.advance(minutes * minuteMs - 1);
      expect((await use(third)).status, purpose).to.equal(200);
    }
  });

  it('that verify an address work for half an hour', async () => {
    const { accountId, email } = await people.signUp();
    clock.advance(30 * minuteMs);
    expect(outcomeOf(await people.verify(accountId))).to.equal('401 invalid-auth-token');
    await people.post('verify-email/resend', { email });
    clock.advance(30 * minuteMs - 1);
    expect((await people.verify(accountId)).status).to.equal(200);
  });

  it('work for nothing but what they were sent for', async () => {
    const { email, accountId } = await people.person();
    const token = await people.link(accountId, email, 'magic_link');
    for (const answer of [
      await reset(token),
      await confirmMerge(token),
      await people.post('verify-email', { token }),
    ])
      expect(outcomeOf(answer)).to.equal('401 invalid-auth-token');
    expect((await consume(token)).status).to.equal(200);
  });

  it('cannot be guessed from one another', async () => {
    const { email, accountId } = await people.person();
    const token = await people.link(accountId, email, 'magic_link');
    const stranger = await people.person();
    const theirs = await people.link(stranger.accountId, stranger.email, 'magic_link');
    const mixed = token.slice(0, 31) + theirs.slice(31);
    const changed = token.slice(0, -7) + (token.at(-7) === 'x' ? 'y' : 'x') + token.slice(-6);
    for (const wrong of [
      mixed,
      changed,
      '',
      'svc_once_',
      token.slice(0, -1),
      `${token}0`,
      '{}',
      'x'.repeat(5000),
    ])
      expect(outcomeOf(await consume(wrong)), wrong).to.equal('401 invalid-auth-token');
    expect((await consume(token)).status).to.equal(200);
  });

  describe('that set another password', () => {
    it('end every session there is, and the old password', async () => {
      const { email, accountId } = await people.person();
      const { json } = await people.signIn(email);
      expect(await works(json.access_token)).to.equal(true);
      const token = await people.link(accountId, email, 'password_reset');
      const { status, json: done } = await reset(token);
      expect([status, done]).to.deep.equal([200, { status: 'password_reset' }]);
      expect(await works(json.access_token)).to.equal(false);
      const refreshed = await people.post('refresh', { refresh_token: json.refresh_token });
      expect(outcomeOf(refreshed)).to.equal('401 invalid-auth-token');
      expect(outcomeOf(await people.signIn(email))).to.equal('401 invalid-credentials');
      expect(await works((await people.signIn(email, other)).json.access_token)).to.equal(true);
    });

    it('end sessions in every process', async () => {
      const { email, accountId } = await people.person();
      const another = await side.serve();
      const { json } = await people.signIn(email);
      const status = async () =>
        (await another.call('POST /v1/api-keys', { token: String(json.access_token), body: { name: 'a' } }))
          .status;
      expect(await status()).to.equal(403);
      await reset(await people.link(accountId, email, 'password_reset'));
      await until(async () => (await status()) === 401);
      await another.close();
    });

    it('make void a first factor that was shown before', async () => {
      const { email, accountId } = await people.person();
      const { json } = await people.signIn(email);
      const signedIn = { authorization: `Bearer ${String(json.access_token)}` };
      const { json: shown } = await people.post('mfa/enroll', {}, signedIn);
      const code = new TOTP({ secret: Secret.fromBase32(String(shown.secret)) }).generate({
        timestamp: clock.now().getTime(),
      });
      const { json: enrolled } = await people.post('mfa/confirm', { code }, signedIn);
      const [recoveryCode] = enrolled.recovery_codes as string[];
      const { mfa_token } = (await people.signIn(email)).json;
      await reset(await people.link(accountId, email, 'password_reset'));
      const second = (token: unknown) => people.post('mfa/login', { mfa_token: token, code: recoveryCode });
      expect(outcomeOf(await second(mfa_token))).to.equal('401 invalid-auth-token');
      const anew = await people.signIn(email, other);
      expect((await second(anew.json.mfa_token)).status).to.equal(200);
    });

    it('make void a device that was approved before', async () => {
      const { email, accountId } = await people.person();
      const { json: owner } = await people.signIn(email);
      const client_id = 'service-desktop';
      const ask = (path: string, body: object, token: string | null = null) =>
        side.call(`POST /v1/oauth/${path}`, { token, body });
      const { device_code, user_code } = (await ask('device_authorization', { client_id })).json;
      await ask('device', { user_code, approve: true }, String(owner.access_token));
      await reset(await people.link(accountId, email, 'password_reset'));
      const polled = await ask('token', { grant_type: deviceGrantType, device_code, client_id });
      expect([polled.status, polled.json.error]).to.deep.equal([400, 'invalid_grant']);
    });

    it('stay good when the password is refused', async () => {
      const { email, accountId } = await people.person();
      const token = await people.link(accountId, email, 'password_reset');
      expect(outcomeOf(await reset(token, '123456789012'))).to.equal('400 validation-failed');
      expect((await reset(token)).status).to.equal(200);
      expect(outcomeOf(await reset(token))).to.equal('401 invalid-auth-token');
    });

    it('let the owner of an account in that the operator made', async () => {
      const { email, accountId } = await operators();
      expect(outcomeOf(await people.signIn(email))).to.equal('401 invalid-credentials');
      await reset(await people.link(accountId, email, 'password_reset'));
      expect((await people.signIn(email, other)).status).to.equal(200);
      expect(await people.sent(accountId, 'merge')).to.deep.equal([]);
    });
  });

  describe('of a second way to sign in', () => {
    it('are sent at the first magic link of an account with a password, and confirm it once', async () => {
      const { email, accountId } = await people.person();
      expect((await consume(await people.link(accountId, email, 'magic_link'))).status).to.equal(200);
      expect((await consume(await people.link(accountId, email, 'magic_link'))).status).to.equal(200);
      const [token = '', ...more] = await people.sent(accountId, 'merge');
      expect(more).to.deep.equal([]);
      const { status, json } = await confirmMerge(token);
      expect([status, json]).to.deep.equal([200, { status: 'confirmed' }]);
      expect(outcomeOf(await confirmMerge(token))).to.equal('401 invalid-auth-token');
      expect((await people.signIn(email)).status).to.equal(200);
    });

    it('are sent at the first password of an account without one', async () => {
      const { email, accountId } = await operators();
      await consume(await people.link(accountId, email, 'magic_link'));
      expect(await people.sent(accountId, 'merge')).to.deep.equal([]);
      await reset(await people.link(accountId, email, 'password_reset'));
      expect((await confirmMerge(await people.token(accountId, 'merge'))).status).to.equal(200);
    });
  });

  describe('to an address that a stranger signed up with', () => {
    it('sign its owner in, and the stranger’s password is gone', async () => {
      const { email, accountId } = await people.signUp();
      const verification = await people.token(accountId, 'verification');
      const { json } = await consume(await people.link(accountId, email, 'magic_link'));
      expect(await works(json.access_token)).to.equal(true);
      expect(outcomeOf(await people.signIn(email, goodPassword))).to.equal('401 invalid-credentials');
      const verified = await people.post('verify-email', { token: verification });
      expect(outcomeOf(verified)).to.equal('401 invalid-auth-token');
      expect(outcomeOf(await people.signIn(email, goodPassword))).to.equal('401 invalid-credentials');
    });

    it('set the owner’s password in the place of the stranger’s', async () => {
      const { email, accountId } = await people.signUp();
      await reset(await people.link(accountId, email, 'password_reset'));
      expect(outcomeOf(await people.signIn(email, goodPassword))).to.equal('401 invalid-credentials');
      expect((await people.signIn(email, other)).status).to.equal(200);
    });
  });

  it('and passwords of an erased account are invalid', async () => {
    const { email, accountId } = await people.person();
    const token = await people.link(accountId, email, 'magic_link');
    const resetToken = await people.link(accountId, email, 'password_reset');
    await side.vault.forget(accountId);
    expect(outcomeOf(await people.signIn(email))).to.equal('401 invalid-credentials');
    expect(outcomeOf(await consume(token))).to.equal('401 invalid-auth-token');
    expect(outcomeOf(await reset(resetToken))).to.equal('401 invalid-auth-token');
    const before = (await side.events(`login-${uuidOf(accountId)}`)).length;
    expect((await people.post('magic-link/request', { email })).status).to.equal(202);
    expect(await side.events(`login-${uuidOf(accountId)}`)).to.have.lengthOf(before);
  });
});
