import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { needsEmbeddedStore } from '../../infra/verification/testbed/index.ts';
import { goodPassword, outcomeOf, peopleOn, slugOf } from '../testing/sign-in.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('signing up and in', () => {
  let side: WriteSide;
  let people: ReturnType<typeof peopleOn>;
  before(async () => {
    side = await startWriteSide();
    people = peopleOn(side);
  });
  after(() => side.close());
  const createKey = (token: string) => side.call('POST /v1/api-keys', { token, body: { name: 'any' } });
  const eventTypes = async (stream: string) => (await side.events(stream)).map(({ type }) => type);
  const ofType = async (type: string) => (await side.allEvents()).filter((event) => event.type === type);

  it('makes a free account whose terms are accepted, and asks for the address to be verified', async () => {
    const { answer, accountId } = await people.signUp();
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json).to.deep.equal({ account_id: accountId, verification_required: true });
    expect(await eventTypes(`account-${uuidOf(accountId)}`)).to.deep.equal([
      'AccountCreated',
      'TermsAccepted',
    ]);
    expect(await eventTypes(`login-${uuidOf(accountId)}`)).to.deep.equal(['SignedUp', 'OneTimeTokenIssued']);
    const [created] = await side.events(`account-${uuidOf(accountId)}`);
    expect(created?.data).to.include({ tier: 'free' });
    expect(created?.metadata.actor).to.deep.equal({ kind: 'user', account_id: accountId });
  });

  it('admits no one before the address is verified, and everyone with the password afterwards', async () => {
    const { email, accountId } = await people.signUp();
    expect(outcomeOf(await people.signIn(email))).to.equal('401 email-not-verified');
    expect(outcomeOf(await people.signIn(email, 'a wrong password'))).to.equal('401 invalid-credentials');
    const verified = await people.verify(accountId);
    expect([verified.status, verified.json]).to.deep.equal([200, { status: 'verified' }]);
    const { status, json, headers } = await people.signIn(email.toUpperCase());
    expect(status).to.equal(200);
    expect(json).to.include({ expires_in: 900, mfa_enrolled: false });
    expect(headers['set-cookie']).to.match(/__Host-service_session=eyJ.*HttpOnly/);
    expect((await createKey(String(json.access_token))).json.detail).to.contain('free tier');
  });

  it('refuses a taken address, verified or not, in whatever case', async () => {
    const { email, accountId } = await people.signUp();
    for (const again of [email, email.toUpperCase()])
      expect(outcomeOf((await people.signUp(again)).answer)).to.equal('409 email-already-registered');
    await people.verify(accountId);
    expect(outcomeOf((await people.signUp(email)).answer)).to.equal('409 email-already-registered');
    const operators = `${randomUUID()}@example.com`;
    await side.staff.account('team', ['read'], operators);
    expect(outcomeOf((await people.signUp(operators)).answer)).to.equal('409 email-already-registered');
  });

  it('takes a letter for the same whether it is composed or not, also one whose capital is never composed', async () => {
    const rest = `${randomUUID()}@example.com`;
    const { accountId } = await people.signUp(`J\u030c${rest}`);
    for (const letter of ['J\u030c', '\u01f0', 'j\u030c'])
      expect(outcomeOf((await people.signUp(letter + rest)).answer), letter).to.equal(
        '409 email-already-registered',
      );
    await people.verify(accountId);
    expect((await people.signIn(`\u01f0${rest}`)).status).to.equal(200);
  });

  it('makes one account of two sign-ups at once, with the password of the acknowledged one, and one mail', async () => {
    needsEmbeddedStore();
    const another = await side.serve();
    const second = peopleOn({ ...side, call: another.call });
    const email = `${randomUUID()}@example.com`;
    const before = (await ofType('AccountCreated')).length;
    const passwords = [0, 1, 2, 3].map((n) => `${goodPassword} ${n}`);
    const answers = await Promise.all(
      passwords.map((password, n) => (n % 2 === 0 ? people : second).signUp(email, password)),
    );
    const outcomes = answers.map(({ answer }) => outcomeOf(answer));
    expect(outcomes.filter((outcome) => outcome === 201)).to.have.lengthOf(1);
    expect(new Set(outcomes)).to.deep.equal(new Set([201, '409 email-already-registered']));
    expect(await ofType('AccountCreated')).to.have.lengthOf(before + 1);
    const winner = outcomes.indexOf(201);
    const accountId = answers[winner]?.accountId ?? '';
    expect(await people.sent(accountId, 'verification')).to.have.lengthOf(1);
    await people.verify(accountId);
    expect((await people.signIn(email, passwords[winner])).status).to.equal(200);
    await another.close();
  });

  it('refuses passwords that are short, long or common, and addresses that are none', async () => {
    const email = () => `${randomUUID()}@example.com`;
    for (const wrong of ['short', '123456789012', 'x'.repeat(1025), 'ä'.repeat(600)]) {
      const { answer } = await people.signUp(email(), wrong);
      expect(outcomeOf(answer), wrong.slice(0, 12)).to.equal('400 validation-failed');
      expect(answer.text).not.to.contain(wrong);
    }
    const unsendable = [
      'a\u0007b@example.com',
      'a\u007f@example.com',
      'a,b@example.com',
      '<ann>@example.com',
      '"ann"@example.com',
    ];
    for (const wrong of ['ann', 'ann@', 'a b@example.com', 'a'.repeat(400), ...unsendable])
      expect(outcomeOf((await people.signUp(wrong)).answer), wrong).to.equal('400 validation-failed');
    const huge = await people.post('login', { email: email(), password: 'x'.repeat(1_000_000) });
    expect(outcomeOf(huge)).to.equal('400 validation-failed');
  });

  it('sends the verification again on request; only the last link works', async () => {
    const { email, accountId } = await people.signUp();
    const first = await people.token(accountId, 'verification');
    const { status, json } = await people.post('verify-email/resend', { email });
    expect([status, json]).to.deep.equal([202, { status: 'accepted' }]);
    expect(await people.sent(accountId, 'verification')).to.have.lengthOf(2);
    expect(outcomeOf(await people.post('verify-email', { token: first }))).to.equal('401 invalid-auth-token');
    expect((await people.verify(accountId)).status).to.equal(200);
    expect(outcomeOf(await people.verify(accountId))).to.equal('401 invalid-auth-token');
    await people.post('verify-email/resend', { email });
    expect(await people.sent(accountId, 'verification')).to.have.lengthOf(2);
  });

  it('accepts no terms but those in force, where there are any', async () => {
    const other = await startWriteSide({ config: { TERMS_REVISION: '2026-02' } });
    const { post } = peopleOn(other);
    const signUp = (legal_revision: string) =>
      post('signup', { email: `${randomUUID()}@example.com`, password: goodPassword, legal_revision });
    expect(outcomeOf(await signUp('2026-01'))).to.equal('400 validation-failed');
    expect(outcomeOf(await signUp('2026-02'))).to.equal(201);
    await other.close();
  });

  describe('a session', () => {
    const signedIn = async () => {
      const { email, accountId } = await people.person();
      await side.staff.accounts.setTier(accountId as `acc_${string}`, 'team', side.staff.context());
      const { json } = await people.signIn(email);
      return { email, accountId, access: String(json.access_token), refresh: String(json.refresh_token) };
    };

    const fromOurPage = { 'sec-fetch-site': 'same-origin' };

    it('is refreshed by its token, in the body or as a cookie, and answers as signing in does', async () => {
      const { refresh } = await signedIn();
      const { status, json } = await people.post('refresh', { refresh_token: refresh });
      expect(status).to.equal(200);
      expect(json).to.have.all.keys('access_token', 'refresh_token', 'expires_in', 'mfa_enrolled');
      const cookie = `__Host-service_refresh=${String(json.refresh_token)}`;
      expect(outcomeOf(await people.post('refresh', {}, { cookie }))).to.equal('403 forbidden');
      const again = await people.post('refresh', {}, { cookie, ...fromOurPage });
      expect(again.status).to.equal(200);
      expect((await createKey(String(again.json.access_token))).status).to.equal(201);
    });

    it('of the owner makes keys with account_owner, which an API key does not', async () => {
      const { access } = await signedIn();
      const body = { name: 'owner', scopes: ['read', 'account_owner'] };
      const { status, json } = await side.call('POST /v1/api-keys', { token: access, body });
      expect(status).to.equal(201);
      const again = await side.call('POST /v1/api-keys', { token: String(json.key), body });
      expect(outcomeOf(again)).to.equal('403 forbidden');
    });

    it('is refreshed by nothing else', async () => {
      for (const refresh_token of ['', 'svc_refresh_x', (await signedIn()).access])
        expect(outcomeOf(await people.post('refresh', { refresh_token }))).to.equal('401 invalid-auth-token');
      expect(outcomeOf(await people.post('refresh', {}))).to.equal('401 invalid-auth-token');
    });

    it('ends for all holders of its tokens by signing out with its refresh token', async () => {
      const { access, refresh } = await signedIn();
      expect((await createKey(access)).status).to.equal(201);
      const { status, headers } = await people.post('logout', { refresh_token: refresh });
      expect(status).to.equal(204);
      expect(headers['set-cookie']).to.match(/__Host-service_session=;.*__Host-service_refresh=;/);
      expect(slugOf(await createKey(access))).to.equal('revoked-key');
      expect(slugOf(await people.post('refresh', { refresh_token: refresh }))).to.equal('invalid-auth-token');
      expect((await people.post('logout', { refresh_token: refresh })).status).to.equal(204);
      expect((await side.call('POST /v1/auth/logout', { token: null })).status).to.equal(204);
    });

    it('ends by signing out with its access token, sent as a header or a cookie', async () => {
      const [one, other, third] = [await signedIn(), await signedIn(), await signedIn()];
      await people.post('logout', {}, { authorization: `Bearer ${one.access}` });
      await people.post('logout', { refresh_token: '' }, { authorization: `Bearer ${third.access}` });
      await people.post('logout', {}, { cookie: `__Host-service_session=${other.access}`, ...fromOurPage });
      for (const { access } of [one, other, third])
        expect(slugOf(await createKey(access))).to.equal('revoked-key');
    });

    it('is ended by its cookies from a page of ours only', async () => {
      const { access, refresh } = await signedIn();
      for (const cookie of [`__Host-service_session=${access}`, `__Host-service_refresh=${refresh}`])
        expect(outcomeOf(await people.post('logout', {}, { cookie }))).to.equal('403 forbidden');
      expect((await createKey(access)).status).to.equal(201);
    });

    it('that has ended long ago is signed out of all the same, and its cookies are cleared', async () => {
      const { status, headers } = await people.post(
        'logout',
        {},
        {
          cookie: '__Host-service_session=gone',
          ...fromOurPage,
        },
      );
      expect(status).to.equal(204);
      expect(headers['set-cookie']).to.match(/Max-Age=0/);
    });

    it('of a suspended person may be opened, and does nothing', async () => {
      const { accountId, email } = await signedIn();
      await side.staff.accounts.suspend(accountId as `acc_${string}`, 'abuse', side.staff.context());
      const { status, json } = await people.signIn(email);
      expect(status).to.equal(200);
      expect(outcomeOf(await createKey(String(json.access_token)))).to.equal('403 forbidden');
      expect(outcomeOf(await people.signIn(email, 'a wrong password'))).to.equal('401 invalid-credentials');
    });
  });
});
