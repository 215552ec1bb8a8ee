import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import type { AccountId } from '../../contracts/ids.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const minute = 60_000;
const slug = ({ json }: Pick<Answer, 'json'>) => String(json.type).split('/').at(-1);
const outcome = (answer: Answer) =>
  answer.status < 400 ? answer.status : `${answer.status} ${slug(answer)}`;

describe('a second factor over HTTP', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock, storeDeadlineMs: 30_000 });
  });
  after(() => side.close());

  /** The app's code, `off` steps from now. */
  const codeOf = (secret: string, off = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: clock.now().getTime() + off * 30_000,
    });
  const post = (path: string, token: string, body: object = {}, via: Pick<WriteSide, 'call'> = side) =>
    via.call(`POST /v1/auth/mfa/${path}`, { token, body });
  const createKey = (token: string) => side.call('POST /v1/api-keys', { token, body: { name: 'ci' } });

  async function person() {
    const { accountId, token: key } = await side.staff.account('team');
    const { accessToken } = await side.staff.session(accountId);
    return { accountId, key, token: accessToken };
  }
  /** A person with an authenticator app, whose current code is unused. */
  async function enrolled() {
    const owner = await person();
    const secret = String((await post('enroll', owner.token)).json.secret);
    const confirmed = await post('confirm', owner.token, { code: codeOf(secret) });
    clock.advance(minute);
    return { ...owner, secret, recoveryCodes: confirmed.json.recovery_codes as string[] };
  }
  const signIn = (accountId: AccountId, code: string, via: Pick<WriteSide, 'call'> = side) =>
    side.tokens
      .secondFactor({ accountId, epoch: 0 })
      .then((mfa_token) => via.call('POST /v1/auth/mfa/login', { body: { mfa_token, code } }));

  it('is enrolled by a code of the secret that was shown, and gives ten recovery codes once', async () => {
    const { token } = await person();
    const begun = await post('enroll', token);
    expect(begun.status).to.equal(200);
    const secret = String(begun.json.secret);
    expect(String(begun.json.otpauth_uri))
      .to.contain(`secret=${secret}`)
      .and.match(/^otpauth:\/\/totp\//);
    expect(outcome(await post('confirm', token, { code: '12345' }))).to.equal('400 validation-failed');
    const confirmed = await post('confirm', token, { code: codeOf(secret) });
    expect(confirmed.status).to.equal(200);
    expect(new Set(confirmed.json.recovery_codes as string[])).to.have.lengthOf(10);
    expect(outcome(await post('confirm', token, { code: codeOf(secret, 1) }))).to.equal('409 conflict');
    expect(outcome(await post('enroll', token))).to.equal('409 conflict');
  });

  it('makes a web session fresh for ten minutes', async () => {
    const { token, secret } = await enrolled();
    expect(outcome(await createKey(token))).to.equal('403 mfa-step-up-required');
    const stepped = await post('step-up', token, { code: codeOf(secret) });
    const freshUntil = new Date(clock.now().getTime() + 10 * minute).toISOString();
    expect([stepped.status, stepped.json]).to.deep.equal([200, { fresh_until: freshUntil }]);
    expect(outcome(await createKey(token))).to.equal(201);
    clock.advance(10 * minute - 1);
    expect(outcome(await createKey(token))).to.equal(201);
    clock.advance(1);
    const stale = await createKey(token);
    expect([outcome(stale), stale.json.requires_mfa_step_up]).to.deep.equal([
      '403 mfa-step-up-required',
      true,
    ]);
  });

  it('is not required of accounts that have none', async () => {
    const { token, key } = await person();
    expect(outcome(await createKey(token))).to.equal(201);
    expect(outcome(await createKey(key))).to.equal(201);
  });

  it('cannot be given by an API key, whose account then keeps what needs it to its web sessions', async () => {
    const { key, secret } = await enrolled();
    for (const path of ['enroll', 'confirm', 'disable', 'step-up']) {
      expect(outcome(await post(path, key, { code: codeOf(secret) })), path).to.equal('403 forbidden');
    }
    expect(outcome(await createKey(key))).to.equal('403 forbidden');
  });

  it('signs in with the token of the first factor and a code, which counts as fresh', async () => {
    const { accountId, secret } = await enrolled();
    const answer = await signIn(accountId, codeOf(secret));
    expect(answer.status).to.equal(200);
    expect(answer.json).to.include({ mfa_enrolled: true });
    expect(answer.headers['set-cookie']).to.contain('service_session=');
    expect(outcome(await createKey(String(answer.json.access_token)))).to.equal(201);
  });

  it('signs in with each recovery code once, however it is written', async () => {
    const { accountId, recoveryCodes } = await enrolled();
    const [first = '', second = ''] = recoveryCodes;
    expect(outcome(await signIn(accountId, first))).to.equal(200);
    expect(outcome(await signIn(accountId, first))).to.equal('401 invalid-credentials');
    expect(outcome(await signIn(accountId, second.toUpperCase().replace('-', ' ')))).to.equal(200);
  });

  it('takes no token but that of a first factor, for five minutes', async () => {
    const { accountId, token, secret } = await enrolled();
    const login = (mfa_token: string) =>
      side.call('POST /v1/auth/mfa/login', { body: { mfa_token, code: codeOf(secret) } });
    expect(outcome(await login(token))).to.equal('401 invalid-auth-token');
    expect(outcome(await login('anything'))).to.equal('401 invalid-auth-token');
    const first = await side.tokens.secondFactor({ accountId, epoch: 0 });
    expect(outcome(await createKey(first))).to.equal('401 invalid-key');
    clock.advance(5 * minute);
    expect(outcome(await login(first))).to.equal('401 invalid-auth-token');
  });

  it('accepts each code once, whichever of the routes it is sent to', async () => {
    const { accountId, token, secret } = await enrolled();
    const code = codeOf(secret);
    expect(outcome(await post('step-up', token, { code }))).to.equal(200);
    expect(outcome(await signIn(accountId, code))).to.equal('401 invalid-credentials');
    expect(outcome(await post('step-up', token, { code }))).to.equal('401 invalid-credentials');
    expect(outcome(await post('disable', token, { code }))).to.equal('401 invalid-credentials');
  });

  it('takes a code once from many requests at once to two processes', async () => {
    const other = await side.serve();
    const { accountId, secret } = await enrolled();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => signIn(accountId, codeOf(secret), index % 2 ? side : other)),
    );
    await other.close();
    expect(answers.filter(({ status }) => status === 200)).to.have.lengthOf(1);
    const sessions = (await side.allEvents()).filter(
      ({ type, metadata }) => type === 'WebSessionOpened' && metadata.actor.account_id === accountId,
    );
    // The session that enrolled, and the one that signed in.
    expect(sessions).to.have.lengthOf(2);
  });

  it('looks at five wrong codes a minute, in all processes together', async () => {
    const other = await side.serve();
    const { accountId, token, secret } = await enrolled();
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, index) => signIn(accountId, 'wrong-code', index % 2 ? side : other)),
    );
    await other.close();
    const outcomes = tries.map(outcome);
    expect(outcomes.filter((each) => each === '401 invalid-credentials')).to.have.lengthOf(5);
    expect(outcomes.filter((each) => each === '429 rate-limited')).to.have.lengthOf(7);
    const limited = await post('step-up', token, { code: codeOf(secret) });
    expect([outcome(limited), limited.headers['retry-after']]).to.deep.equal(['429 rate-limited', '60']);
    clock.advance(minute);
    expect(outcome(await post('step-up', token, { code: codeOf(secret) }))).to.equal(200);
  });

  it('takes a code one step early and one step late', async () => {
    const { token, secret } = await enrolled();
    const outcomes = [];
    for (const off of [-2, -1, 1, 0, 2])
      outcomes.push(await post('step-up', token, { code: codeOf(secret, off) }));
    expect(outcomes.map(({ status }) => status)).to.deep.equal([401, 200, 200, 200, 401]);
  });

  it('works on after the clock was ten minutes ahead and was set back', async () => {
    const { token, secret } = await enrolled();
    clock.advance(10 * minute);
    expect(outcome(await post('step-up', token, { code: codeOf(secret) }))).to.equal(200);
    clock.advance(-10 * minute);
    expect(outcome(await post('step-up', token, { code: codeOf(secret) }))).to.equal(200);
  });

  it('is disabled by a code, or by a recovery code, and is then asked for no more', async () => {
    const { token, secret } = await enrolled();
    expect(outcome(await post('disable', token, { code: '000000' }))).to.equal('401 invalid-credentials');
    expect(outcome(await post('disable', token, { code: codeOf(secret) }))).to.equal(204);
    expect(outcome(await createKey(token))).to.equal(201);
    expect(outcome(await post('step-up', token, { code: codeOf(secret) }))).to.equal('409 conflict');
    const another = await enrolled();
    const [code = ''] = another.recoveryCodes;
    expect(outcome(await post('disable', another.token, { code }))).to.equal(204);
  });

  it('leaves no secret and no code in the log', async () => {
    const { token, secret, recoveryCodes } = await enrolled();
    const code = codeOf(secret);
    await post('step-up', token, { code });
    const log = JSON.stringify((await side.allEvents()).map(({ data, metadata }) => ({ data, metadata })));
    for (const each of [
      secret,
      `"${code}"`,
      ...recoveryCodes,
      ...recoveryCodes.map((one) => one.replace('-', '')),
    ])
      expect(log.includes(each), each).to.equal(false);
  });
});
