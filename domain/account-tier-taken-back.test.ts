import type { AccountEvent } from '../contracts/events/account.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { account, type AccountCommand } from './account.ts';

type Event = Extract<
  AccountEvent,
  { type: 'AccountCreated' | 'TierChanged' | 'TierConfirmed' | 'EntitlementGranted' | 'EntitlementEnded' }
>;
type Command = Extract<AccountCommand, { type: 'SetTier' | 'EndCardEntitlement' }>;

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const orderId = 'ord_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';

const event = eventBuilders<Event>({
  AccountCreated: { accountId, sealedEmail: 'sealed', tier: 'free', at },
  TierChanged: { accountId, from: 'free', to: 'team', at },
  TierConfirmed: { accountId, tier: 'team', at },
  EntitlementGranted: { accountId, source: 'card', tier: 'team', until: null, basedOn: 1, at },
  EntitlementEnded: { accountId, source: 'card', basedOn: 1, at },
});
const command = commandBuilders<Command>({
  SetTier: { tier: 'team', at },
  EndCardEntitlement: { basedOn: 1, at },
});
const { given } = deciderSpec(account);
const created = event.AccountCreated();
const byCard = event.EntitlementGranted();
const cardEnded = event.EntitlementEnded();
const raised = event.TierChanged();
const lowered = event.TierChanged({ from: 'team', to: 'free' });

describe('a tier that staff has set while another is paid for', () => {
  it('is taken back by going back from it to what is paid for, and is chosen by a repetition', () => {
    const mistakes = { free: {}, enterprise: { unpaidTier: 'free' } } as const;
    for (const [mistake, took] of Object.entries(mistakes)) {
      const tier = mistake as keyof typeof mistakes;
      const set = event.TierChanged({ from: 'team', to: tier, byStaff: true });
      const back = event.TierChanged({ from: tier, to: 'team', ...took });
      const since = [created, byCard, raised, set];
      given(created, byCard, raised).when(command.SetTier({ tier })).then(set);
      given(...since)
        .when(command.SetTier())
        .then(back);
      given(...since, back)
        .when(command.EndCardEntitlement())
        .then(cardEnded, lowered);
      given(...since, back)
        .when(command.SetTier())
        .then(event.TierConfirmed());
    }
  });

  it('is taken back also if it was the one that is paid for', () => {
    const toFree = event.TierChanged({ from: 'team', to: 'free', byStaff: true });
    const since = [created, byCard, raised, event.TierConfirmed(), toFree];
    given(...since)
      .when(command.SetTier())
      .then(raised);
    given(...since, raised)
      .when(command.EndCardEntitlement())
      .then(cardEnded, lowered);
  });

  it('stays if it is below the highest that is paid for, or is set once payments have ended', () => {
    const toAgency = event.TierChanged({ from: 'team', to: 'agency' });
    const until = '2026-01-31T00:00:00.000Z';
    const order = event.EntitlementGranted({ source: orderId, tier: 'agency', until });
    const toFree = event.TierChanged({ from: 'agency', to: 'free', byStaff: true });
    const toTeam = event.TierChanged({ byStaff: true });
    given(created, byCard, raised, order, toAgency, toFree).when(command.SetTier()).then(toTeam);
    given(created, byCard, raised, cardEnded, lowered).when(command.SetTier()).then(toTeam);
  });
});
