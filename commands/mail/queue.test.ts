import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { mail } from '../../domain/mail.ts';
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
  const takenBy = (address: string) => world.server.taken.filter(({ to }) => to.includes(address));

  it('is the same one when its command runs again, and another from another template', async () => {
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

  it('is given up at once when its link will have expired by the next attempt', async () => {
    world.server.answer = () => 'refuse';
    const context = newContext(owner.accountId);
    await queueMail(world, verification(minuteMs), context);
    const { id } = await stateOf(context);
    await sendMail(world.sending, id);
    expect((await stateOf(context)).state).to.include({ status: 'abandoned', attempts: 1 });
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
