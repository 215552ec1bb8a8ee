import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountEvent } from '../contracts/events/account.ts';
import { highestOf, tiers } from '../contracts/tiers.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { account, type Account, type AccountCommand } from './account.ts';

type Event = Extract<
  AccountEvent,
  { type: 'AccountCreated' | 'TierChanged' | 'TierConfirmed' | 'EntitlementGranted' | 'EntitlementEnded' }
>;
type Command = Extract<
  AccountCommand,
  { type: 'SetTier' | 'EntitleByCard' | 'EntitleByOrder' | 'EndCardEntitlement' | 'EndOrderEntitlement' }
>;

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const until = '2026-01-31T00:00:00.000Z';
const orderNamed = (n: number) => `ord_00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as const;
const [orderId, later] = [orderNamed(1), orderNamed(2)];

const event = eventBuilders<Event>({
  AccountCreated: { accountId, sealedEmail: 'sealed', tier: 'free', at },
  TierChanged: { accountId, from: 'free', to: 'team', at },
  TierConfirmed: { accountId, tier: 'team', at },
  EntitlementGranted: { accountId, source: 'card', tier: 'team', until: null, at },
  EntitlementEnded: { accountId, source: 'card', at },
});
const command = commandBuilders<Command>({
  SetTier: { tier: 'team', at },
  EntitleByCard: { tier: 'team', basedOn: 1, at },
  EntitleByOrder: { orderId, tier: 'team', days: 30, at },
  EndCardEntitlement: { basedOn: 1, at },
  EndOrderEntitlement: { orderId, at: until },
});
const { given } = deciderSpec(account);
const created = event.AccountCreated();
const byCard = event.EntitlementGranted({ basedOn: 1 });
const cardEnded = event.EntitlementEnded({ basedOn: 1 });
const byOrder = event.EntitlementGranted({ source: orderId, until });
const orderEnded = event.EntitlementEnded({ source: orderId, at: until });
const raised = event.TierChanged();

describe('what an account has paid for', () => {
  const lowered = event.TierChanged({ from: 'team', to: 'free' });

  it('gives its tier, once', () => {
    given(created).when(command.EntitleByCard()).then(byCard, raised);
    given(created, byCard, raised).when(command.EntitleByCard()).nothing();
    given(created).when(command.EntitleByOrder()).then(byOrder, raised);
    given(created, byOrder, raised).when(command.EntitleByOrder()).nothing();
  });

  it('ends at the free tier', () => {
    given(created, byCard, raised).when(command.EndCardEntitlement()).then(cardEnded, lowered);
    given(created).when(command.EndCardEntitlement()).nothing();
  });

  it('that has days ends when they are over, and is not granted by the same order again', () => {
    given(created, byOrder, raised).when(command.EndOrderEntitlement({ at })).nothing();
    given(created, byOrder, raised)
      .when(command.EndOrderEntitlement())
      .then(orderEnded, event.TierChanged({ ...lowered.data, at: until }));
    given(created, byOrder, raised, orderEnded, lowered).when(command.EntitleByOrder()).nothing();
  });

  it('adds its days to the remaining ones of the same tier', () => {
    given(created, byOrder, raised)
      .when(command.EntitleByOrder({ orderId: later }))
      .then(event.EntitlementGranted({ source: later, until: '2026-03-02T00:00:00.000Z' }));
  });

  it('gives the highest of several tiers, and the next one when that ends', () => {
    const lower = event.EntitlementGranted({ tier: 'personal', basedOn: 1 });
    given(created, byOrder, raised)
      .when(command.EntitleByCard({ tier: 'personal' }))
      .then(lower);
    given(created, byOrder, raised, lower)
      .when(command.EndOrderEntitlement())
      .then(orderEnded, event.TierChanged({ from: 'team', to: 'personal', at: until }));
  });

  it('follows the plan of the card down', () => {
    given(created, byCard, raised)
      .when(command.EntitleByCard({ tier: 'personal' }))
      .then(
        event.EntitlementGranted({ tier: 'personal', basedOn: 1 }),
        event.TierChanged({ from: 'team', to: 'personal' }),
      );
  });
});

describe('the tier by card', () => {
  const [second, third] = [{ basedOn: 2 }, { basedOn: 3 }];
  const granted = event.EntitlementGranted(third);
  const ended = event.EntitlementEnded(third);
  const lowered = event.TierChanged({ from: 'team', to: 'free' });

  it('ignores a change of the subscription that was overtaken by another one', () => {
    given(created, granted, raised)
      .when(command.EntitleByCard({ tier: 'personal', ...second }))
      .nothing();
    given(created, granted, raised).when(command.EndCardEntitlement(second)).nothing();
    given(created, byCard, raised, ended, lowered).when(command.EntitleByCard(second)).nothing();
  });

  it('follows the latest change, also where earlier events do not say what they are based on', () => {
    given(created, granted, raised).when(command.EndCardEntitlement(third)).then(ended, lowered);
    given(created, byCard, raised, ended, lowered).when(command.EntitleByCard(third)).then(granted, raised);
    given(created, event.EntitlementGranted(), raised)
      .when(command.EndCardEntitlement(third))
      .then(ended, lowered);
  });

  it('ignores it also after an order has ended', () => {
    given(created, granted, raised, byOrder, orderEnded)
      .when(command.EntitleByCard({ tier: 'personal', ...second }))
      .nothing();
  });
});

describe('two paid tiers with as many sessions', () => {
  const agency = event.EntitlementGranted({ tier: 'agency' });
  const builder = event.EntitlementGranted({ source: orderId, tier: 'api_builder', until });
  const toAgency = event.TierChanged({ to: 'agency' });

  it('give the one with the larger limits', () => {
    given(created, agency, toAgency)
      .when(command.EntitleByOrder({ tier: 'api_builder' }))
      .then(builder);
  });

  it('are both taken as paid where a stream has the smaller one', () => {
    const toBuilder = event.TierChanged({ from: 'agency', to: 'api_builder' });
    const stream = [created, agency, toAgency, builder, toBuilder];
    const back = { from: 'api_builder', to: 'agency' } as const;
    given(...stream)
      .when(command.EndOrderEntitlement())
      .then(orderEnded, event.TierChanged({ ...back, at: until }));
    given(...stream)
      .when(command.EntitleByOrder({ orderId: later }))
      .then(event.EntitlementGranted({ source: later, until }), event.TierChanged(back));
    given(...stream, event.EntitlementEnded())
      .when(command.EndOrderEntitlement())
      .then(orderEnded, event.TierChanged({ from: 'api_builder', to: 'free', at: until }));
  });
});

describe('a tier that staff has set', () => {
  const enterprise = event.TierChanged({ to: 'enterprise' });
  const agency = event.EntitlementGranted({ source: orderId, tier: 'agency', until, unpaidTier: 'team' });
  const toAgency = event.TierChanged({ from: 'team', to: 'agency' });
  /** An order has raised the tier that staff had set. */
  const lifted = [created, raised, agency, toAgency];

  it('stays when a lower one is paid for, and when that ends', () => {
    const starter = event.EntitlementGranted({
      ...byOrder.data,
      ...{ tier: 'api_starter', unpaidTier: 'enterprise' },
    });
    given(created, enterprise)
      .when(command.EntitleByOrder({ tier: 'api_starter' }))
      .then(starter);
    given(created, enterprise, starter).when(command.EndOrderEntitlement()).then(orderEnded);
    given(created, enterprise, starter)
      .when(command.EntitleByOrder({ tier: 'api_starter' }))
      .nothing();
  });

  it('stays when the same one is paid for, and when that ends', () => {
    const same = event.EntitlementGranted({ unpaidTier: 'team', basedOn: 1 });
    given(created, raised).when(command.EntitleByCard()).then(same);
    given(created, raised, same).when(command.EndCardEntitlement()).then(cardEnded);
  });

  it('is raised by a payment, and back when that ends', () => {
    given(created, raised)
      .when(command.EntitleByOrder({ tier: 'agency' }))
      .then(agency, toAgency);
    given(...lifted)
      .when(command.EndOrderEntitlement())
      .then(orderEnded, event.TierChanged({ from: 'agency', to: 'team', at: until }));
    given(...lifted, orderEnded, event.TierChanged({ from: 'agency', to: 'team' }))
      .when(command.EntitleByOrder({ tier: 'agency' }))
      .nothing();
  });

  it('is what a smaller plan of the card falls to', () => {
    const byCard = event.EntitlementGranted({ tier: 'agency', unpaidTier: 'team' });
    given(created, raised, byCard, toAgency)
      .when(command.EntitleByCard({ tier: 'personal' }))
      .then(
        event.EntitlementGranted({ tier: 'personal', unpaidTier: 'team', basedOn: 1 }),
        event.TierChanged({ from: 'agency', to: 'team' }),
      );
  });

  it('stays if it was set after the payment, also when that ends', () => {
    const since = event.TierChanged({ from: 'team', to: 'enterprise' });
    given(created, byCard, raised, since).when(command.EndCardEntitlement()).then(cardEnded);
    given(...lifted, event.TierChanged({ from: 'agency', to: 'enterprise' }))
      .when(command.EntitleByCard())
      .then(event.EntitlementGranted({ unpaidTier: 'enterprise', basedOn: 1 }));
  });

  it('stays if it was paid for when it was set, which is recorded once', () => {
    const confirmed = event.TierConfirmed();
    given(created, byCard, raised).when(command.SetTier()).then(confirmed);
    given(created, byCard, raised, confirmed).when(command.SetTier()).nothing();
    given(created, byCard, raised, confirmed).when(command.EndCardEntitlement()).then(cardEnded);
    given(created, byCard, raised, confirmed, cardEnded).when(command.SetTier()).nothing();
  });

  it('stays if it becomes the highest that is paid for, and when that ends', () => {
    const order = event.EntitlementGranted({ source: orderId, tier: 'agency', until });
    const both = [created, byCard, raised, order, toAgency];
    const set = event.TierChanged({ from: 'agency', to: 'team', byStaff: true });
    given(...both)
      .when(command.SetTier())
      .then(set);
    given(...both, set)
      .when(command.EndOrderEntitlement())
      .then(orderEnded);
    given(...both, set, orderEnded)
      .when(command.EndCardEntitlement())
      .then(cardEnded);
  });

  it('is recorded anew where an earlier release has recorded only the change', () => {
    const order = event.EntitlementGranted({ source: orderId, tier: 'agency', until });
    const unmarked = event.TierChanged({ from: 'agency', to: 'team' });
    given(created, byCard, raised, order, toAgency, unmarked)
      .when(command.SetTier())
      .then(event.TierConfirmed());
  });

  it('stays below another paid one with as many sessions', () => {
    const byCardNow = event.EntitlementGranted({ tier: 'agency', basedOn: 1 });
    const order = event.EntitlementGranted({ source: orderId, tier: 'api_builder', until });
    const set = event.TierChanged({ from: 'agency', to: 'api_builder', byStaff: true });
    given(created, byCardNow, event.TierChanged({ to: 'agency' }), order, set)
      .when(command.EndOrderEntitlement())
      .then(orderEnded);
  });

  it('is what a payment raises, and back when that ends', () => {
    const order = event.EntitlementGranted({ source: orderId, tier: 'agency', until, unpaidTier: 'team' });
    const confirmed = [created, byCard, raised, event.TierConfirmed()];
    given(...confirmed)
      .when(command.EntitleByOrder({ tier: 'agency' }))
      .then(order, toAgency);
    given(...confirmed, order, toAgency, cardEnded)
      .when(command.EndOrderEntitlement())
      .then(orderEnded, event.TierChanged({ from: 'agency', to: 'team', at: until }));
  });

  it('is forgotten once staff has taken it back', () => {
    const second = event.EntitlementGranted({ source: later, tier: 'api_scale', until });
    const toScale = event.TierChanged({ from: 'free', to: 'api_scale' });
    const since = [...lifted, event.TierChanged({ from: 'agency', to: 'free' })];
    given(...since)
      .when(command.EntitleByOrder({ orderId: later, tier: 'api_scale' }))
      .then(second, toScale);
    given(...since, second, toScale, orderEnded)
      .when(command.EndOrderEntitlement({ orderId: later }))
      .then(
        event.EntitlementEnded({ source: later, at: until }),
        event.TierChanged({ from: 'api_scale', to: 'free', at: until }),
      );
  });

  it('is never below itself whatever is paid for, and is what remains', () => {
    const tier = fc.constantFrom(...tiers);
    const orders = fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 9 }), tier }), {
      selector: ({ n }) => n,
    });
    const decided = (state: Account, next: AccountCommand) =>
      account.decide(next, state).reduce(account.evolve, state);
    const tierOf = (state: Account) => (state.status === 'none' ? 'free' : state.tier);
    fc.assert(
      fc.property(tier, orders, (set, paid) => {
        const start = account.evolve(account.initialState, event.AccountCreated({ tier: set }));
        const states = [start];
        const take = (next: AccountCommand) => states.push(decided(states.at(-1) ?? start, next));
        for (const { n, tier: bought } of paid)
          take(command.EntitleByOrder({ orderId: orderNamed(n), tier: bought }));
        for (const { n } of paid)
          take(command.EndOrderEntitlement({ orderId: orderNamed(n), at: '2030-01-01T00:00:00.000Z' }));
        for (const state of states) expect(highestOf([tierOf(state), set])).to.equal(tierOf(state));
        expect(tierOf(states.at(-1) ?? start)).to.equal(set);
      }),
    );
  });
});
