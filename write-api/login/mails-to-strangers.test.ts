import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { tierLimits } from '../../contracts/tiers.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { peopleOn } from '../testing/sign-in.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const anAddress = () => `${randomUUID()}@example.com`;

describe('mails that anyone can have sent', () => {
  let side: WriteSide;
  let people: ReturnType<typeof peopleOn>;
  before(async () => {
    side = await startWriteSide({ enforceRates: true });
    people = peopleOn(side);
  });
  after(() => side.close());

  let clients = 0;
  /** Each request comes from another client. */
  const post = (path: string, body: object): Promise<Answer> => {
    clients += 1;
    const ip = `10.${Math.floor(clients / 250)}.${clients % 250}.1`;
    return side.call(`POST ${path}`, { token: null, body, headers: { 'x-forwarded-for': ip } });
  };
  const times = async (count: number, work: () => Promise<Answer>): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (let n = 0; n < count; n += 1) answers.push(await work());
    return answers;
  };
  const shown = ({ status, json, headers }: Answer) => [status, json, headers['retry-after']];
  const invite = (token: string, email: string) =>
    side.call('POST /v1/team/invites', { token, body: { email, role: 'member' } });

  const links = [
    ['magic_link', '/v1/auth/magic-link/request'],
    ['password_reset', '/v1/auth/password-reset/request'],
    ['verification', '/v1/auth/verify-email/resend'],
  ] as const;
  for (const [purpose, path] of links)
    it(`are five at once of ${purpose}, for all callers; the answers do not show that, and the last link works on`, async () => {
      const email = anAddress();
      const { json } = await post('/v1/auth/signup', {
        ...{ email, password: 'purple-otter-42-sings', legal_revision: '2026-01' },
      });
      const accountId = String(json.account_id);
      const before = (await people.sent(accountId, purpose)).length;
      const answers = await times(8, () => post(path, { email: ` ${email.toUpperCase()}` }));
      const unknown = await post(path, { email: anAddress() });
      for (const answer of answers) expect(shown(answer)).to.deep.equal(shown(unknown));
      expect(await people.sent(accountId, purpose)).to.have.length(before + 5);
      expect(await people.token(accountId, purpose)).to.be.a('string');
    });

  it('do not keep one kind of link from being sent because of another, nor one address because of another', async () => {
    const [ada, bob] = [await people.signUp(anAddress()), anAddress()];
    await times(8, () => post('/v1/auth/magic-link/request', { email: ada.email }));
    const [name, host] = ada.email.split('@');
    await times(8, () => post('/v1/auth/password-reset/request', { email: `${name}+x@${host}` }));
    await times(8, () => post('/v1/auth/password-reset/request', { email: bob }));
    await post('/v1/auth/password-reset/request', { email: ada.email });
    expect(await people.sent(ada.accountId, 'password_reset')).to.have.length(1);
  });

  it('are thirty at once to a mailbox by signing up, under however many names for it', async () => {
    const name = randomUUID();
    const signUp = (n: number) => {
      const email = `${name}+${n}@example.com`;
      return post('/v1/auth/signup', { email, password: 'purple-otter-42-sings', legal_revision: '2026-01' });
    };
    let n = 0;
    const answers = await times(31, () => signUp((n += 1)));
    expect(answers.map(({ status }) => status)).to.deep.equal([...Array<number>(30).fill(201), 429]);
    expect(Number(answers.at(-1)?.headers['retry-after'])).to.be.within(1, 300);
  });

  it('are five subscriptions at once to a mailbox; the answer stays the same', async () => {
    const name = randomUUID();
    let n = 0;
    const answers = await times(7, () =>
      post('/v1/status/subscribe', { email: `${name}+${(n += 1)}@example.com` }),
    );
    for (const answer of answers)
      expect(shown(answer)).to.deep.equal([202, { status: 'accepted' }, undefined]);
    let requested = 0;
    for await (const { type } of side.store.readAll({ prefixes: ['status_subscriber-'] }))
      if (type === 'SubscriptionRequested') requested += 1;
    expect(requested).to.equal(5);
  });

  const spellings = ['\uff45xample.com', 'ex\u00adample.com', 'exa\u00ad\u00admple.com', 'example.com.'];

  it('are five subscriptions at once to a mailbox, however its domain is spelled', async () => {
    const requests = async () => {
      let count = 0;
      for await (const { type } of side.store.readAll({ prefixes: ['status_subscriber-'] }))
        if (type === 'SubscriptionRequested') count += 1;
      return count;
    };
    const [name, before] = [randomUUID(), await requests()];
    for (const domain of ['example.com', ...spellings, 'e\u00adxample.com', 'examp\u00adle.com'])
      expect((await post('/v1/status/subscribe', { email: `${name}@${domain}` })).status).to.equal(202);
    expect(await requests()).to.equal(before + 5);
  });

  it('go to no account and no member whose domain is another spelling of one', async () => {
    const { token } = await side.staff.account('team');
    for (const domain of spellings) {
      const email = `${randomUUID()}@${domain}`;
      const signUp = { email, password: 'purple-otter-42-sings', legal_revision: '2026-01' };
      expect((await post('/v1/auth/signup', signUp)).status, domain).to.equal(400);
      expect((await invite(token, email)).status, domain).to.equal(400);
    }
  });

  it('are five invitations at once to a mailbox, whosever', async () => {
    const name = randomUUID();
    const answers: Answer[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { token } = await side.staff.account('free');
      answers.push(await invite(token, `${name}+${n}@example.com`));
    }
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201, 201, 429]);
    expect(answers.at(-1)?.json.type).to.contain('rate-limited');
    expect(answers.at(-1)?.headers['retry-after']).to.equal(String(answers.at(-1)?.json.retry_after_seconds));
  });

  it('are as many invitations of an account at once as its tier may have open, withdrawn ones too', async () => {
    const { token } = await side.staff.account('free');
    const { openInvitations } = tierLimits.free;
    const sent = await times(openInvitations + 1, async () => {
      const answer = await invite(token, anAddress());
      await side.call(`DELETE /v1/team/invites/${String(answer.json.id)}`, { token });
      return answer;
    });
    expect(sent.map(({ status }) => status)).to.deep.equal([201, 201, 201, 429]);
    expect(sent.at(-1)?.json.type).to.contain('rate-limited');
    expect(Number(sent.at(-1)?.headers['retry-after'])).to.be.within(1100, 1200);
  });
});
