import { expect } from 'chai';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { causeOf } from '../../contracts/events/metadata.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { mail } from '../../domain/mail.ts';
import { createSmtpMailer } from '../../infra/mail/index.ts';
import { collect } from '../../infra/event-store/client/testing.ts';
import { startSmtpServer, until } from '../../infra/verification/testbed/index.ts';
import { parseMail } from '../../infra/verification/testbed/mail-parts.ts';
import { openMailWorld, type MailWorld } from '../process-managers/mail/testing.ts';
import { newContext } from '../session/testing.ts';
import { mailIdOf, queueMail, sendMail } from './index.ts';

const link = 'https://service.example/console/verify?token=canary-token';
const minuteMs = 60_000;

describe('a queued mail', () => {
  let world: MailWorld;
  let owner: { accountId: AccountId; email: string };
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());
  beforeEach(async () => {
    world.server.answer = () => 'take';
    owner = await world.newOwner();
  });

  const later = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString();
  const verification = (ttlMs = 60 * minuteMs) =>
    ({
      accountId: owner.accountId,
      template: 'account-verification',
      facts: {},
      secrets: { link },
      expiresAt: later(ttlMs),
    }) as const;
  const stateOf = async (context: ReturnType<typeof newContext>) => {
    const id = mailIdOf(context, 'account-verification');
    return { id, ...(await world.runner.load(mail, uuidOf(id))) };
  };
  const takenBy = (address: string) => world.server.received.filter(({ to }) => to.includes(address));

  it('has the same id if its command is repeated, and another one for another template', async () => {
    const context = newContext(owner.accountId);
    await queueMail(world, verification(), context);
    await queueMail(world, verification(), context);
    const { id, revision } = await stateOf(context);
    expect(revision).to.equal(0n);
    expect(mailIdOf(context, 'magic-link')).not.to.equal(id);
  });

  it('holds its link and its recipient sealed, and is sent with both', async () => {
    const context = newContext(owner.accountId);
    const to = `${uuidv7()}@elsewhere.example`;
    await queueMail(world, { ...verification(), to }, context);
    const { id, state } = await stateOf(context);
    expect(JSON.stringify(state)).not.to.match(/canary|elsewhere/);
    await sendMail(world.sending, id);
    expect(takenBy(owner.email)).to.deep.equal([]);
    const parts = takenBy(to).map(({ source }) => parseMail(source));
    expect(parts).to.have.lengthOf(1);
    expect(parts[0]?.headers['x-service-template']).to.equal('account-verification');
    expect(parts[0]?.text.split('\n')).to.include(link);
    expect(parts[0]?.html).to.contain(`href="${link}"`);
  });

  it('is not sent once its link has expired', async () => {
    const context = newContext(owner.accountId);
    await queueMail(world, verification(minuteMs), context);
    world.clock.advance(minuteMs);
    const { id } = await stateOf(context);
    await sendMail(world.sending, id);
    expect((await stateOf(context)).state.status).to.equal('abandoned');
    expect(takenBy(owner.email)).to.deep.equal([]);
  });

  it('is abandoned at once if its link will have expired by the next attempt', async () => {
    world.server.answer = () => 'refuse';
    const context = newContext(owner.accountId);
    await queueMail(world, verification(minuteMs), context);
    const { id } = await stateOf(context);
    await sendMail(world.sending, id);
    expect((await stateOf(context)).state).to.include({ status: 'abandoned', attempts: 1 });
  });

  it('waits for a mail server that is down, and is sent once when it is up again', async () => {
    const server = await startSmtpServer();
    const mailer = createSmtpMailer({ url: server.url, from: 'service@example.org', timeoutMs: 2000 });
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const sending = { ...world.sending, mailer, logger, backoffMs: [minuteMs, 30 * minuteMs, 60 * minuteMs] };
    await server.close();
    const context = newContext(owner.accountId);
    await queueMail(world, verification(180 * minuteMs), context);
    const { id } = await stateOf(context);
    for (const wait of [minuteMs, 30 * minuteMs]) {
      await sendMail(sending, id);
      world.clock.advance(wait);
    }
    const again = await startSmtpServer({}, server.port);
    await sendMail(sending, id);
    await sendMail(sending, id);
    mailer.close();
    await again.close();
    expect((await stateOf(context)).state).to.include({ status: 'sent', attempts: 3 });
    expect(again.received).to.have.lengthOf(1);
    const chain = await collect(world.store.readStream(`mail-${uuidOf(id)}`));
    const causes = chain.map(({ metadata }) => causeOf(metadata));
    expect(causes).to.deep.equal([null, ...chain.slice(0, -1).map((event) => event.id)]);
    expect(new Set(chain.map(({ metadata }) => metadata.correlation_id))).to.have.keys(context.correlationId);
    expect(lines.filter((line) => line.includes('was not sent'))).to.have.lengthOf(2);
    expect(lines.join('')).not.to.contain('canary').and.not.to.contain(owner.email);
  });

  it('keeps its link and its addresses out of the log, the read models and the queue', async () => {
    const context = newContext(owner.accountId);
    await queueMail(world, { ...verification(), to: 'guest@canary.example' }, context);
    const { id } = await stateOf(context);
    world.host({ mail: true });
    const events: unknown[] = [];
    for await (const { data, metadata } of world.store.readStream(`mail-${uuidOf(id)}`))
      events.push(data, metadata);
    expect(JSON.stringify(events)).to.contain(id).and.not.to.contain('canary');
    const { rows: tables } = await world.pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    const holding = async (text: string) => {
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await world.pool.query(`select 1 from ${name} t where strpos(t::text, $1) > 0`, [text]);
        if (rows.rows.length > 0) found.push(name);
      }
      return found;
    };
    // The read model and the queue.
    await until(async () => (await holding(id)).length > 1);
    await world.closeHosts();
    expect(await holding('canary')).to.deep.equal([]);
  });

  it('is not sent once the account is erased, and none is queued from then on', async () => {
    const [before, after] = [newContext(owner.accountId), newContext(owner.accountId)];
    await queueMail(world, { ...verification(), to: 'guest@elsewhere.example' }, before);
    await world.vault.forget(owner.accountId);
    const { id } = await stateOf(before);
    await sendMail(world.sending, id);
    expect((await stateOf(before)).state.status).to.equal('abandoned');
    expect(takenBy('guest@elsewhere.example')).to.deep.equal([]);
    await queueMail(world, verification(), after);
    expect((await stateOf(after)).state.status).to.equal('none');
  });
});
