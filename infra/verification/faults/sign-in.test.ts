import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { connectEventStore, type EventStore, type RecordedEvent } from '../../event-store/client/index.ts';
import { listMails } from '../../../projections/queries/mail.ts';
import { caller, type Answer } from '../../http/testing.ts';
import { connectPostgres, type Postgres } from '../../postgres/index.ts';
import { startFaultyStack, until, type FaultyStack } from '../testbed/index.ts';

const inTime = { limitMs: 30_000, everyMs: 20 };
const password = 'purple-otter-42-sings';
/** Delay of each message to the event store, and of each answer: long enough to kill the process meanwhile. */
const underWayMs = 400;

/** Kills between two appends of one request, and between an append and the mail that follows from it. */
describe('Signing up and in', function () {
  this.timeout(180_000);
  let stack: FaultyStack;
  let store: EventStore;
  let postgres: Postgres;
  before(async () => {
    stack = await startFaultyStack({ env: { RATE_LIMITS: 'off' }, through: ['event-store'] });
    const logger = pino({ level: 'silent' });
    store = connectEventStore({ url: stack.stores.eventStore.url, logger });
    postgres = connectPostgres({ url: stack.stores.postgres.url, logger });
  });
  after(() => Promise.all([store.close(), postgres.close(), stack.stop()]));

  const post = (path: string, body: object): Promise<Answer> =>
    caller(Number(new URL(stack.baseUrl).port))(`POST /v1/auth/${path}`, { token: null, body });
  const eventsOf = async (type: string): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const event of store.readAll()) if (event.type === type) events.push(event);
    return events;
  };
  const typesIn = async (stream: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of store.readStream(stream)) types.push(type);
    return types;
  };

  /** Kills a process when this event is stored, before any process learns of it. Returns the event. */
  async function killedAfter(type: string, request: () => Promise<unknown>, role = 'write-api') {
    const before = (await eventsOf(type)).length;
    stack.link('event-store').delay(underWayMs);
    const answer = request().catch(() => 'broken');
    const event = await until(async () => (await eventsOf(type))[before], inTime);
    await stack.kill(role);
    await stack.heal();
    await answer;
    await stack.ready();
    return event;
  }
  const accountOf = ({ data }: RecordedEvent): AccountId => (data as { accountId: AccountId }).accountId;
  const mailsTo = async (accountId: AccountId, template: string) => {
    const mails = await listMails(postgres.pool, { account: accountId, limit: 50 });
    return mails.filter((mail) => mail.template === template);
  };
  /** The token in the link of the only mail of this template. */
  const mailedToken = async (accountId: AccountId, template: string): Promise<string> => {
    const [mail] = await until(async () => {
      const found = await mailsTo(accountId, template);
      return found.length > 0 && found;
    }, inTime);
    const { stdout } = await stack.service('mail', 'show', String(mail?.id), '--json');
    const [, token] = /\?token=(\S+)/.exec((JSON.parse(stdout) as { text: string }).text) ?? [];
    return String(token);
  };
  const signUp = (email: string) => post('signup', { email, password, legal_revision: '1' });
  const newPerson = async () => {
    const email = `${randomUUID()}@example.com`;
    const { status, text, json } = await signUp(email);
    expect(status, text).to.equal(201);
    const accountId = json.account_id as AccountId;
    await post('verify-email', { token: await mailedToken(accountId, 'account-verification') });
    return { email, accountId };
  };
  const expectOneAccount = async (accountId: AccountId, email: string): Promise<void> => {
    const verified = await post('verify-email', {
      token: await mailedToken(accountId, 'account-verification'),
    });
    expect(verified.status, verified.text).to.equal(200);
    expect((await post('login', { email, password })).status).to.equal(200);
    expect(await mailsTo(accountId, 'account-verification')).to.have.lengthOf(1);
    await until(async () => (await mailsTo(accountId, 'signup-welcome')).length === 1, inTime);
    const made = (await eventsOf('AccountCreated')).filter((event) => accountOf(event) === accountId);
    expect(made).to.have.lengthOf(1);
  };

  it('a sign-up killed between the reservation and the account is continued by the next one', async () => {
    const email = `${randomUUID()}@example.com`;
    const accountId = accountOf(await killedAfter('EmailReserved', () => signUp(email)));
    expect(await typesIn(`account-${uuidOf(accountId)}`)).to.deep.equal([]);
    const { status, json } = await signUp(email.toUpperCase());
    expect([status, json.account_id]).to.deep.equal([201, accountId]);
    await expectOneAccount(accountId, email);
  });

  it('a sign-up killed between the account and its password is completed, with one mail', async () => {
    const email = `${randomUUID()}@example.com`;
    const accountId = accountOf(await killedAfter('AccountCreated', () => signUp(email)));
    expect((await signUp(email)).status).to.equal(409);
    await until(async () => (await typesIn(`login-${uuidOf(accountId)}`)).length === 2, inTime);
    await expectOneAccount(accountId, email);
  });

  it('the mail of a link that was issued by a killed process is sent, once', async () => {
    const { email, accountId } = await newPerson();
    await killedAfter('OneTimeTokenIssued', () => post('magic-link/request', { email }));
    const token = await mailedToken(accountId, 'magic-link');
    expect((await post('magic-link/consume', { token })).status).to.equal(200);
    expect(await mailsTo(accountId, 'magic-link')).to.have.lengthOf(1);
  });

  it('a mail is queued once even if the process that queued it was killed before the acknowledgement', async () => {
    const { email, accountId } = await newPerson();
    const request = () => post('password-reset/request', { email });
    await killedAfter('MailQueued', request, 'processes');
    // Its reaction is repeated, like every unacknowledged one.
    await post('magic-link/request', { email });
    await mailedToken(accountId, 'magic-link');
    expect(await mailsTo(accountId, 'password-reset')).to.have.lengthOf(1);
  });

  it('a link that was used by a killed process has had its effect, and is invalid afterwards', async () => {
    const { email, accountId } = await newPerson();
    await post('password-reset/request', { email });
    const token = await mailedToken(accountId, 'password-reset');
    const reset = () => post('password-reset/confirm', { token, password: `${password}!` });
    await killedAfter('PasswordReset', reset);
    expect((await reset()).status).to.equal(401);
    expect((await post('login', { email, password })).status).to.equal(401);
    expect((await post('login', { email, password: `${password}!` })).status).to.equal(200);
  });
});
