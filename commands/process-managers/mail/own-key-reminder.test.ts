import { expect } from 'chai';
import { dayMs } from '../../../contracts/durations.ts';
import { uuidOf, type AccountId, type MailId } from '../../../contracts/ids.ts';
import { ownLlmKey } from '../../../domain/own-llm-key.ts';
import { until } from '../../../infra/verification/testbed/index.ts';
import { createOwnLlmKeyCommands } from '../../own-llm-key.ts';
import { newContext } from '../../session/testing.ts';
import { handleMailWakeUps } from '../index.ts';
import { openMailWorld, type MailWorld } from './testing.ts';

describe('the reminder to replace an own model-provider key', () => {
  let world: MailWorld;
  let owner: { accountId: AccountId; email: string };
  before(async () => {
    world = await openMailWorld();
    handleMailWakeUps(world.wakeUps, world.sending);
  });
  after(() => world.close());
  beforeEach(async () => {
    owner = await world.newOwner();
  });
  afterEach(() => world.closeHosts());

  const keys = () =>
    createOwnLlmKeyCommands({
      ...{ runner: world.runner, clock: world.clock, vault: world.vault },
      tryKey: () => Promise.resolve(null),
      reminderMs: 60 * dayMs,
    });
  const store = (last4: string) =>
    keys().store(owner.accountId, `sk-ant-api03-${last4}`, newContext(owner.accountId));
  const taken = () => world.server.received.filter(({ to }) => to.includes(owner.email));
  const mails = async () => {
    const text = 'select id from read_model.mails where account_id = $1';
    return (await world.pool.query<{ id: MailId }>(text, [owner.accountId])).rows;
  };
  const timers = async () => {
    const text = 'select due_at from read_model.timers where account_id = $1';
    return (await world.pool.query<{ due_at: Date }>(text, [owner.accountId])).rows;
  };
  const isAged = async () => {
    const { state } = await world.runner.load(ownLlmKey, uuidOf(owner.accountId));
    return state.status === 'stored' && state.isAged;
  };

  it('is sent once when the key is 60 days old, and does not contain it', async () => {
    await store('wxyz');
    await until(async () => (await timers()).length === 1);
    world.host({ mail: true });
    world.clock.advance(60 * dayMs);
    await until(() => taken().length === 1);
    const source = taken()[0]?.source ?? '';
    expect(source).to.contain('60 days').and.to.contain('PUT /v1/account/me/byok-llm-key');
    expect(source).not.to.contain('wxyz');
    await until(async () => (await timers()).length === 0);
    expect(await isAged()).to.equal(true);
    world.clock.advance(60 * dayMs);
    expect(await mails()).to.have.length(1);
  });

  it('counts from the last time that a key was stored', async () => {
    await store('old1');
    world.clock.advance(59 * dayMs);
    await store('new2');
    const dueAt = world.clock.now().getTime() + 60 * dayMs;
    await until(async () => (await timers())[0]?.due_at.getTime() === dueAt);
    world.host({ mail: true });
    world.clock.advance(60 * dayMs - 1);
    expect(await isAged()).to.equal(false);
    world.clock.advance(1);
    await until(() => taken().length === 1);
    expect(await mails()).to.have.length(1);
  });

  it('is not sent for a removed key', async () => {
    await store('wxyz');
    await until(async () => (await timers()).length === 1);
    await keys().remove(owner.accountId, newContext(owner.accountId));
    await until(async () => (await timers()).length === 0);
  });
});
