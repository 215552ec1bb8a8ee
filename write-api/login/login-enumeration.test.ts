import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { outcomeOf, peopleOn } from '../testing/sign-in.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const wrong = 'not-the-password-42';
const unknownEmail = () => `${randomUUID()}@example.com`;

/** The parts of an answer that do not differ between requests. */
const shown = ({ status, json, headers }: Answer) => {
  const { instance: _, ...body } = json;
  const { date: _d, 'x-request-id': _id, 'x-service-position': position, ...rest } = headers;
  return { status, body, headers: { ...rest, hasPosition: position !== undefined } };
};

describe('whether an address has an account', () => {
  let side: WriteSide;
  let people: ReturnType<typeof peopleOn>;
  let known: string;
  let unverified: string;
  let withoutPassword: string;
  before(async () => {
    side = await startWriteSide();
    people = peopleOn(side);
    known = (await people.person()).email;
    unverified = (await people.signUp()).email;
    withoutPassword = unknownEmail();
    await side.staff.account('team', ['read'], withoutPassword);
  });
  after(() => side.close());

  /**
   * Compares the minimum durations of the works, which run in turns. Load on the machine only lengthens a duration, so
   * more rounds find the minimum. A difference in the work itself remains in all rounds.
   */
  async function takeAsLong(works: readonly (() => Promise<unknown>)[], rounds: number, atMost: number) {
    const least = works.map(() => Infinity);
    const ratio = () => Math.max(...least) / Math.min(...least);
    for (let round = 0; round < rounds || (round < 60 && ratio() >= atMost); round += 1) {
      for (const [index, work] of works.entries()) {
        const startedAt = performance.now();
        await work();
        least[index] = Math.min(least[index] ?? Infinity, performance.now() - startedAt);
      }
    }
    expect(ratio(), least.join()).to.be.below(atMost);
  }

  it('is not in the answer to a wrong password', async () => {
    const answers = [known, unverified, withoutPassword, unknownEmail()].map((email) =>
      people.signIn(email, wrong),
    );
    const [first, ...others] = (await Promise.all(answers)).map(shown);
    expect(first?.body.type).to.contain('invalid-credentials');
    for (const other of others) expect(other).to.deep.equal(first);
  });

  it('is not in the time that a wrong password takes', async () => {
    const attempts = [known, unverified, withoutPassword, unknownEmail()].map(
      (email) => () => people.signIn(email, wrong),
    );
    await takeAsLong(attempts, 9, 1.8);
  });

  for (const path of ['verify-email/resend', 'magic-link/request', 'password-reset/request']) {
    it(`is neither in the answer of ${path} nor in its time`, async () => {
      const emails = [known, unverified, withoutPassword, unknownEmail()];
      const request = (email: string) => people.post(path, { email });
      const [first, ...others] = (await Promise.all(emails.map(request))).map(shown);
      expect([first?.status, first?.body]).to.deep.equal([202, { status: 'accepted' }]);
      for (const other of others) expect(other).to.deep.equal(first);
      await takeAsLong(
        emails.map((email) => () => request(email)),
        5,
        1.5,
      );
    });
  }
});

describe('a client that tries passwords', () => {
  let side: WriteSide;
  let people: ReturnType<typeof peopleOn>;
  before(async () => {
    side = await startWriteSide({ enforceRates: true });
    people = peopleOn(side);
  });
  after(() => side.close());
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const attempt = (email: string, password: string, ip: string) =>
    people.post('login', { email, password }, from(ip));
  const timed = async (work: Promise<Answer>) => {
    const startedAt = performance.now();
    const outcome = outcomeOf(await work);
    return { outcome, milliseconds: performance.now() - startedAt };
  };
  const tryTen = async (email: string, ip: string) => {
    for (let n = 0; n < 10; n += 1)
      expect(outcomeOf(await attempt(email, wrong, ip))).to.equal('401 invalid-credentials');
  };

  it('is slowed down, for known addresses and others, and locks no one out', async () => {
    const { email, accountId } = await people.person();
    const unknown = unknownEmail();
    await tryTen(email, '192.0.2.1');
    await tryTen(unknown, '192.0.2.2');
    const owner = await timed(
      people.post('login', { email, password: 'purple-otter-42-sings' }, from('192.0.2.3')),
    );
    expect(owner.outcome).to.equal(200);
    expect(owner.milliseconds).to.be.at.least(490);
    const stranger = await timed(attempt(unknown, wrong, '192.0.2.3'));
    expect(stranger.outcome).to.equal('401 invalid-credentials');
    expect(stranger.milliseconds).to.be.at.least(490);
    const failures = async () =>
      (await side.events(`login-${uuidOf(accountId)}`)).filter(({ type }) => type === 'SignInFailed');
    await until(async () => (await failures()).length === 10);
    await attempt(email, wrong, '192.0.2.4');
    expect(await failures()).to.have.lengthOf(10);
  });

  it('may ask for three mails a minute from one address', async () => {
    const request = (path: string, ip: string) => people.post(path, { email: unknownEmail() }, from(ip));
    const paths = ['verify-email/resend', 'magic-link/request', 'password-reset/request'];
    for (const path of paths) expect((await request(path, '198.51.100.1')).status).to.equal(202);
    for (const path of paths) {
      const answer = await request(path, '198.51.100.1');
      expect(outcomeOf(answer)).to.equal('429 rate-limited');
      expect(answer.json.retry_after_seconds).to.equal(Number(answer.headers['retry-after']));
    }
    expect((await request('magic-link/request', '198.51.100.2')).status).to.equal(202);
  });

  it('tries so many a minute from one address', async () => {
    const attempts = Array.from({ length: 40 }, () =>
      people.post('verify-email', { token: 'x' }, from('203.0.113.9')),
    );
    const outcomes = new Set((await Promise.all(attempts)).map(outcomeOf));
    expect(outcomes).to.deep.equal(new Set(['401 invalid-auth-token', '429 rate-limited']));
  });
});
