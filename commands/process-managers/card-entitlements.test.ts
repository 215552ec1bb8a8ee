import { expect } from 'chai';
import type { DescribedSubscription } from '../../contracts/events/subscription.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { account } from '../../domain/account.ts';
import { subscription } from '../../domain/subscription.ts';
import { collect } from '../../infra/event-store/client/testing.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { gate, type Gate } from '../../infra/verification/testbed/index.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { createWorld, newCaller, newContext, useStore, type World } from '../session/testing.ts';
import { cardEntitlementsManager } from './card-billing.ts';

const at = '2026-01-05T12:00:00.000Z';
const described = (tier: Tier): DescribedSubscription => ({
  ...{ subscriptionId: 'sub_1', tier, status: 'active', cancelAtPeriodEnd: false, createdAt: at },
  ...{ currentPeriodStart: at, currentPeriodEnd: at, paymentMethod: null },
});

/** A host whose commands wait. */
const holding = ({ runner, clock }: World, held: Gate): CommandPorts => ({
  clock,
  runner: {
    load: runner.load,
    run: async (decider, uuid, command, context, options) => {
      await held.pass();
      return runner.run(decider, uuid, command, context, options);
    },
  },
});

/** An account with a card subscription, and hosts that follow it. */
async function subscriber(world: World) {
  const { runner, store } = world;
  const { accountId } = newCaller();
  const uuid = uuidOf(accountId);
  const context = () => newContext(accountId);
  const create = { type: 'CreateAccount', accountId, sealedEmail: 'sealed', tier: 'free', at } as const;
  await runner.run(account, uuid, create, context());
  const link = { type: 'LinkCustomer', accountId, customerId: 'cus_1', at } as const;
  await runner.run(subscription, uuid, link, context());
  const changes = async (): Promise<RecordedEvent[]> =>
    (await collect(store.readStream(`subscription-${uuid}`))).slice(1);
  return {
    async changeTo(tier: Tier): Promise<void> {
      const { length: basedOn } = await changes();
      const answer = { basedOn, subscriptions: [described(tier)], invoices: [], closedInvoices: [] };
      await runner.run(subscription, uuid, { type: 'RecordAnswer', ...answer, at }, context());
    },
    /** A host reacts to all changes so far, or to the last one only. */
    async follow(host: CommandPorts, which: 'all' | 'last' = 'all'): Promise<void> {
      for (const change of (await changes()).slice(which === 'all' ? 0 : -1))
        await cardEntitlementsManager(host).handle(change);
    },
    async tier(): Promise<Tier | null> {
      const { state } = await runner.load(account, uuid);
      return state.status === 'none' ? null : state.tier;
    },
  };
}

describe('the tier of a card subscription', () => {
  const opened = useStore();
  const cases = { 'the first': 'free', 'the one that it brings back': 'personal' } as const;
  for (const [what, before] of Object.entries(cases))
    it(`is that of the latest change, here ${what}, though a host that was replaced sets an earlier one after it`, async () => {
      const host = createWorld(opened.store);
      const { changeTo, follow, tier } = await subscriber(host);
      if (before !== 'free') await changeTo(before);
      await follow(host);
      expect(await tier()).to.equal(before);

      const held = gate();
      await changeTo('team');
      const late = follow(holding(createWorld(opened.store), held), 'last');
      await held.reached;
      await changeTo('personal');
      await follow(host);
      held.open();
      await late;
      expect(await tier()).to.equal('personal');
    });
});
