import { expect } from 'chai';
import type { Deprecation } from '../../contracts/deprecations.ts';
import { deprecatedUseEvents, type DeprecatedUseEvent } from '../../contracts/events/deprecated-use.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { createDeprecatedUses, forgetUse, recordedUses } from '../../infra/ephemeral/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { hasKnownType } from '../engine/recording.ts';
import type { Runner } from '../engine/runner.ts';
import { reactionContext } from '../engine/context.ts';
import { queueDeprecationNotice } from '../deprecated-use.ts';
import { deprecatedUseSweep } from './deprecations.ts';
import { uninterrupted } from './engine/testing.ts';
import { openMailWorld, type MailWorld } from './mail/testing.ts';

const registry: readonly Deprecation[] = [
  {
    ...{ id: 'old-route', route: 'GET /v1/old', replacement: 'GET /v1/new' },
    ...{ announced: '2026-01-01', sunset: '2026-06-01' },
  },
];

describe('the use of a deprecated entry', () => {
  let world: MailWorld;
  let owner: { accountId: AccountId; email: string };
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());
  beforeEach(async () => {
    owner = await world.newOwner();
  });

  const ports = () => ({ runner: world.runner, clock: world.clock, vault: world.vault, registry });
  const uses = (clock = world.clock) =>
    createDeprecatedUses({ pool: world.pool, clock, logger: world.sending.logger });
  const recorded = async () =>
    (await recordedUses(world.pool, 500)).filter(({ accountId }) => accountId === owner.accountId);
  const sweeping = (deciding = ports()) =>
    uninterrupted(
      deprecatedUseSweep({
        ...deciding,
        logger: world.sending.logger,
        recordedUses: (limit, after) => recordedUses(world.pool, limit, after),
        forget: (use) => forgetUse(world.pool, use),
        everyMs: 1000,
      }),
    );
  const sweep = (deciding = ports()) => sweeping(deciding).run();
  const events = async () => {
    const found = [];
    for await (const event of world.store.readStream(`deprecated_use-${uuidOf(owner.accountId)}`))
      if (hasKnownType<DeprecatedUseEvent>(deprecatedUseEvents, event)) found.push(event);
    return found;
  };

  it('is one event per account, entry and day, whatever the number of processes', async () => {
    const [one, other] = [uses(), uses()];
    for (let calls = 0; calls < 3; calls += 1)
      for (const process of [one, other]) process.record(owner.accountId, 'old-route');
    await until(async () => (await recorded()).length === 1);
    await sweep();
    expect(await recorded()).to.deep.equal([]);
    // A process without this one's cache.
    uses().record(owner.accountId, 'old-route');
    await until(async () => (await recorded()).length === 1);
    await sweep();
    const day = world.clock.now().toISOString().slice(0, 10);
    expect((await events()).map(({ data }) => data.day)).to.deep.equal([day]);
  });

  it('is recorded although an earlier one cannot be, which is retried', async () => {
    const other = await world.newOwner();
    for (const { accountId } of [owner, other]) uses().record(accountId, 'old-route');
    const left = async () => {
      const all = (await recordedUses(world.pool, 500)).map(({ accountId }) => accountId);
      return all.filter((id) => id === owner.accountId || id === other.accountId);
    };
    await until(async () => (await left()).length === 2);
    const [first] = await left();
    if (first === undefined) throw new Error('There is no use.');
    const runner: Runner = {
      ...world.runner,
      run: (decider, uuid, ...rest) =>
        uuid === uuidOf(first)
          ? Promise.reject(new Error('This stream cannot be read.'))
          : world.runner.run(decider, uuid, ...rest),
    };
    await sweep({ ...ports(), runner });
    expect(await left()).to.deep.equal([first]);
    await sweep();
    expect(await left()).to.deep.equal([]);
  });

  it('is recorded although a whole page of earlier ones cannot be', async () => {
    await world.pool.query(
      `insert into ephemeral.deprecated_uses (account_id, deprecation_id, day)
       select $1, 'stuck-' || number, '2020-01-01' from generate_series(1, 500) as number`,
      [owner.accountId],
    );
    const other = await world.newOwner();
    uses().record(other.accountId, 'old-route');
    const left = async () => new Set((await recordedUses(world.pool, 600)).map(({ accountId }) => accountId));
    await until(async () => (await left()).has(other.accountId));
    const runner: Runner = {
      ...world.runner,
      run: (decider, uuid, ...rest) =>
        uuid === uuidOf(owner.accountId)
          ? Promise.reject(new Error('This stream cannot be read.'))
          : world.runner.run(decider, uuid, ...rest),
    };
    const { run } = sweeping({ ...ports(), runner });
    await run();
    await run();
    expect([...(await left())]).to.deep.equal([owner.accountId]);
    await world.pool.query('delete from ephemeral.deprecated_uses');
  });

  it('is announced to the account once, however often it uses it', async () => {
    uses().record(owner.accountId, 'old-route');
    await until(async () => (await recorded()).length === 1);
    await sweep();
    const [event] = await events();
    if (event === undefined) throw new Error('There is no event.');
    const use = { accountId: owner.accountId, deprecationId: 'old-route' };
    const queue = (manager: string) => queueDeprecationNotice(ports(), use, reactionContext(manager, event));
    await queue('one');
    await queue('another day');
    const mails = async () => {
      const text = 'select template, facts from read_model.mails where account_id = $1';
      return (await world.pool.query<{ template: string; facts: object }>(text, [owner.accountId])).rows;
    };
    await until(async () => (await mails()).length > 0);
    expect(await mails()).to.have.length(1);
    expect((await mails())[0]?.template).to.equal('deprecation-notice');
  });
});
