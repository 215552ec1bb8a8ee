import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { verifyWebhook } from '../../../contracts/webhooks/verify.mjs';
import { processLogs } from '../chaos/evidence/processes.ts';
import { connectEventStore, type EventStore } from '../../event-store/client/index.ts';
import {
  answerWith,
  certificate,
  privateKey,
  startFaultyStack,
  startReceivers,
  startSmtpServer,
  tempDir,
  until,
  type Answer,
  type FaultyStack,
  type ReceivedMessage,
  type TestReceivers,
  type TestSmtpServer,
} from '../testbed/index.ts';
import { newClient, type Client } from './client.ts';
import { endpointsOf, streamOf, type Endpoint, type Endpoints } from './endpoints.ts';
import { createHostNames, createWallClock } from './surroundings.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const inTime = { limitMs: 30_000, everyMs: 20 };
/** The sweep handles what is overdue by more than this. The clock must advance a little further to show that nothing happens. */
const well = 10 * second;
const password = `hunter2${randomUUID()}`;

/** Pauses and grace period are the contract's; tests move the clock instead of waiting. */
describe('A stack with a jumping clock, changing names and a refusing mail server', () => {
  const clock = createWallClock('Europe/Berlin');
  const names = createHostNames();
  let stack: FaultyStack;
  let store: EventStore;
  let client: Client;
  let receivers: TestReceivers;
  let mailServer: TestSmtpServer;
  let endpoints: Endpoints;
  let steady: Endpoint;
  let answer: Answer;
  let passwordTaken = password;

  before(async () => {
    clock.set(new Date('2028-02-28T12:00:00Z'));
    receivers = await startReceivers({ told: (...message) => answer(...message), steady: answerWith(200) });
    mailServer = await startSmtpServer({
      secure: true,
      disabledCommands: [],
      onAuth: (given, _session, done) =>
        given.password === passwordTaken ? done(null, { user: 'service' }) : done(new Error('no')),
    });
    const authority = join(tempDir('authority'), 'certificate.pem');
    writeFileSync(authority, certificate);
    const env = {
      LD_PRELOAD: `${clock.library} ${names.library}`,
      ...clock.environment,
      ...names.environment,
      RATE_LIMITS: 'off',
      SWEEP_INTERVAL: '500ms',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      SMTP_URL: `smtps://service:${password}@mail.test:${mailServer.port}`,
      MAIL_FROM: 'service@example.com',
      MAIL_BACKOFF: Array.from({ length: 40 }, () => '250ms').join(),
      NODE_EXTRA_CA_CERTS: authority,
    };
    names.set({ 'mail.test': '127.0.0.1' });
    stack = await startFaultyStack({ env, through: [] });
    store = connectEventStore({ url: stack.stores.eventStore.url, logger: pino({ level: 'silent' }) });
    client = await newClient(stack);
    endpoints = endpointsOf(client, receivers, 'told');
    steady = await endpointsOf(client, receivers, 'steady').register('steady');
  });
  beforeEach(() => (answer = answerWith(200)));
  after(async () => {
    await Promise.all([store.close(), stack.stop(), receivers.close(), mailServer.close()]);
  });

  const attemptsOf = async (delivery: string): Promise<Seen[]> => {
    const seen: Seen[] = [];
    for await (const { type, data } of store.readStream(streamOf(delivery)))
      if (/Succeeded|AttemptFailed/.test(type)) seen.push({ type, data: data as Seen['data'] });
    return seen;
  };
  const attempted = (delivery: string, count: number) =>
    until(async () => {
      const attempts = await attemptsOf(delivery);
      return attempts.length >= count && attempts;
    }, inTime);
  /** Other deliveries are not delayed. */
  const othersAreServed = async () => attempted(await endpoints.ping(steady.id), 1);
  const rotate = async (id: string) => {
    const { status, text, json } = await client.call(`POST /v1/webhooks/${id}/rotate-secret`);
    expect(status, text).to.equal(200);
    return { secret: String(json.secret), edge: new Date(String(json.previous_secret_expires_at)) };
  };

  for (const [what, from, to] of [
    ['a leap day', '2028-02-28T18:00:00Z', '2028-02-29T18:00:00Z'],
    ['the night in which summer time begins', '2028-03-25T18:00:00Z', '2028-03-26T18:00:00Z'],
    ['the night in which summer time ends', '2028-10-28T18:00:00Z', '2028-10-29T18:00:00Z'],
  ] as const)
    it(`signs by both secrets for 24 hours over ${what}, and from then on by the new one`, async () => {
      clock.set(new Date(from));
      const name = from.slice(0, 10);
      const endpoint = await endpoints.register(name);
      const { secret, edge } = await rotate(endpoint.id);
      expect(edge.getTime() - Date.parse(to)).to.be.within(0, 10 * second);
      for (const at of [edge.getTime() - 5 * second, edge.getTime()]) {
        clock.set(new Date(at));
        await attempted(await endpoints.ping(endpoint.id), 1);
      }
      const [before, after] = endpoints.cameTo(name);
      expect(signersOf(before, { old: endpoint.secret, new: secret })).to.have.members(['old', 'new']);
      expect(signersOf(after, { old: endpoint.secret, new: secret })).to.deep.equal(['new']);
    });

  it('goes by the current clock for what is due, once, when that jumps back and forth over the end of a grace period', async () => {
    const endpoint = await endpoints.register('jumps');
    const { secret, edge } = await rotate(endpoint.id);
    const secrets = { old: endpoint.secret, new: secret };
    const at = (ms: number) => clock.set(new Date(edge.getTime() + ms));

    at(-30 * second);
    answer = answerWith(503);
    const waiting = await Promise.all(Array.from({ length: 20 }, () => endpoints.ping(endpoint.id)));
    for (const each of waiting) await attempted(each, 1);
    answer = answerWith(200);

    at(-90 * minute);
    await othersAreServed();
    await attempted(await endpoints.ping(endpoint.id), 1);
    expect(endpoints.cameTo('jumps')).to.have.length(waiting.length + 1);

    at(90 * minute);
    for (const each of waiting) {
      const [first, second, ...more] = await attempted(each, 2);
      expect([first?.type, second?.type, more]).to.deep.equal([
        'DeliveryAttemptFailed',
        'DeliverySucceeded',
        [],
      ]);
      expect(timeIn(second, 'startedAt')).to.be.at.least(timeIn(first, 'nextAttemptAt'));
    }

    const all = (ms: number) => waiting.map(() => ms);
    const sentAt = [...all(-30 * second), -90 * minute, ...all(90 * minute)];
    const came = endpoints.cameTo('jumps');
    expect(came).to.have.length(sentAt.length);
    for (const [index, message] of came.entries()) {
      const ms = signedAt(message) - edge.getTime();
      expect(ms - (sentAt[index] ?? 0)).to.be.within(-second, 20 * second);
      expect(signersOf(message, secrets)).to.have.members(ms < 0 ? ['old', 'new'] : ['new']);
    }

    at(-hour);
    // An endpoint is cached for a second.
    await until(async () => {
      await attempted(await endpoints.ping(endpoint.id), 1);
      return signersOf(endpoints.cameTo('jumps').at(-1), secrets).length === 2;
    }, inTime);
  });

  it('retries a name without a public address by the backoff, without delaying other deliveries', async () => {
    const host = 'flapping.test';
    const known = { 'mail.test': '127.0.0.1' };
    names.set({ ...known, [host]: '127.0.0.1' });
    const endpoint = await endpoints.register('flapping', host);
    names.set(known);
    const delivery = await endpoints.ping(endpoint.id);
    const answers = [
      { error: 'dns_failure' },
      { error: 'address_not_allowed', address: '10.0.0.7' },
      { error: 'dns_failure' },
    ];
    for (const [index, { error, address }] of answers.entries()) {
      const last = (await attemptsOf(delivery)).at(-1);
      names.set({ ...known, ...(address && { [host]: address }) });
      if (last) clock.set(new Date(timeIn(last, 'nextAttemptAt') + well));
      await othersAreServed();
      const failed = (await attempted(delivery, index + 1)).at(-1);
      expect(failed?.data).to.include({ error, responseStatus: null });
    }
    const last = (await attemptsOf(delivery)).at(-1);
    names.set({ ...known, [host]: '127.0.0.1' });
    clock.set(new Date(timeIn(last, 'nextAttemptAt') + well));
    await othersAreServed();
    const attempts = await attempted(delivery, answers.length + 1);
    expect(attempts.at(-1)?.type).to.equal('DeliverySucceeded');
    for (const [index, pause] of pausesOf(attempts).entries())
      expect(pause / ([1, 5, 15][index] ?? 0) / minute).to.be.within(1, 1.1);
    expect(endpoints.cameTo('flapping')).to.have.length(1);
  });

  it('keeps a mail due while its server has an untrusted certificate or refuses the password, and never reveals the password', async () => {
    const { id } = await endpoints.register('mailed');
    const complaints = (): string[] =>
      (processLogs(stack.dataDir).worker ?? []).filter((line) => line.includes('A mail was not sent'));
    const complained = (code: RegExp) => until(() => complaints().some((line) => code.test(line)), inTime);
    await rotate(id);
    await complained(/"unreachable","code":"\w*CERT\w*"/);
    passwordTaken = 'another';
    mailServer.present({ cert: certificate, key: privateKey });
    await complained(/"refused","code":"EAUTH"/);
    passwordTaken = password;
    await until(() => mailServer.received.some(({ source }) => source.includes(id)), inTime);
    const stored: string[] = [];
    for await (const { data } of store.readAll({ prefixes: [''] })) stored.push(JSON.stringify(data ?? null));
    expect(stored).not.to.be.empty;
    const logged = Object.values(processLogs(stack.dataDir)).flat();
    expect([...logged, ...stored].filter((text) => text.includes(password))).to.deep.equal([]);
  });
});

interface Seen {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const timeIn = (event: Seen | undefined, name: string): number => Date.parse(String(event?.data[name]));

/** Milliseconds from each failed attempt to the time of the next one. */
const pausesOf = (attempts: readonly Seen[]): number[] =>
  attempts.slice(0, -1).map((each) => timeIn(each, 'nextAttemptAt') - timeIn(each, 'at'));

/** Time of the signature by the sender's clock, in milliseconds since the epoch. */
const signedAt = ({ signature }: ReceivedMessage): number =>
  Number(/^t=(\d+),/.exec(signature)?.[1]) * second;

/** The secrets that have signed a message, found with the customers' verifier. */
function signersOf(
  message: ReceivedMessage | undefined,
  secrets: Readonly<Record<string, string>>,
): readonly string[] {
  if (message === undefined) return ['nobody'];
  const { signature, body } = message;
  const count = signature.split('v1=').length - 1;
  const signers = Object.keys(secrets).filter((name) => {
    try {
      return verifyWebhook({
        signature,
        body,
        secret: secrets[name] ?? '',
        now: new Date(signedAt(message)),
      });
    } catch {
      return false;
    }
  });
  return count === signers.length ? signers : [`${count} signatures`];
}
