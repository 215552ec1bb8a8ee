import type { CardStandIn } from '../../testbed/index.ts';
import { answered } from '../history.ts';
import type { Random } from '../random.ts';
import { soldByCard, tierOfPrice } from '../world/payments.ts';
import type { Action, Player } from './player.ts';

async function openCheckout(player: Player, random: Random): Promise<void> {
  const exchange = await player.client.call({
    action: 'open-checkout',
    target: 'POST /v1/billing/checkout-session',
    body: { tier: random.pick(soldByCard) },
  });
  const [, checkout] = /\/pay\/(\w+)$/.exec(String(answered(exchange, 'url'))) ?? [];
  if (checkout !== undefined) player.checkouts.push(checkout);
}

/** Status in which the subscription begins. */
const beginnings = [
  { weight: 6, status: 'active' },
  { weight: 1, status: 'trialing' },
  { weight: 1, status: 'incomplete' },
] as const;

/** A page that was closed because of another one cannot be paid. */
function subscribe({ checkouts, world: { payments } }: Player, random: Random): void {
  const { ledger } = payments.cards;
  const checkout = checkouts.shift();
  if (checkout === undefined || ledger.checkout(checkout).status === 'expired') return;
  const { status } = random.weighted(beginnings);
  payments.atCards(random, () => ledger.complete(checkout, { status }));
}

type Ledger = CardStandIn['ledger'];

const customersOf = ({ client, world }: Player): ReadonlySet<string> =>
  new Set(
    [...world.payments.cards.ledger.checkouts.values()]
      .filter(({ client_reference_id }) => client_reference_id === client.account)
      .map(({ customer }) => customer),
  );

/** Triggers an event of one of the account's subscriptions that has not ended. */
const onSubscription =
  (happen: (ledger: Ledger, id: string, random: Random) => unknown): Action =>
  async (player, random) => {
    const { payments } = player.world;
    const { ledger } = payments.cards;
    const customers = customersOf(player);
    const live = [...ledger.subscriptions.values()].filter(
      ({ customer, status }) => customers.has(customer) && status !== 'canceled',
    );
    if (live.length === 0) return;
    const { id } = random.pick(live);
    payments.atCards(random, () => happen(ledger, id, random));
  };

async function payAgain(player: Player, random: Random): Promise<void> {
  const { payments } = player.world;
  const { ledger } = payments.cards;
  const customers = customersOf(player);
  const isOpen = (subscription: string) => ledger.subscriptions.get(subscription)?.status !== 'canceled';
  const open = [...ledger.invoices.values()].filter(
    ({ customer, status, parent }) =>
      customers.has(customer) && status === 'open' && isOpen(parent.subscription_details.subscription),
  );
  if (open.length === 0) return;
  const { id } = random.pick(open);
  payments.atCards(random, () => ledger.retry(id, random.next() < 0.7));
}

export const cardActions = {
  'open a checkout': openCheckout,
  'open two checkouts at once': (player, random) =>
    Promise.all([openCheckout(player, random), openCheckout(player, random.of('rival'))]).then(
      () => undefined,
    ),
  'subscribe by card': async (player, random) => subscribe(player, random),
  'a period begins': onSubscription((ledger, id, random) => ledger.renew(id, random.next() < 0.7)),
  'a failed payment is tried again': payAgain,
  'the price is changed': onSubscription((ledger, id, random) =>
    ledger.changePrice(id, random.pick(Object.keys(tierOfPrice))),
  ),
  'the subscription is given up': onSubscription((ledger, id) => ledger.changeStatus(id, 'unpaid')),
  'the subscription ends with its period': onSubscription((ledger, id) => ledger.cancelAtPeriodEnd(id)),
  'the subscription is cancelled': onSubscription((ledger, id) => ledger.cancel(id)),
  'open the portal': (player) =>
    player.client.call({ action: 'open-portal', target: 'POST /v1/billing/portal-session', body: {} }),
  'read the subscription': (player) =>
    player.client.call({ action: 'read-billing', target: 'GET /v1/billing' }),
} as const satisfies Readonly<Record<string, Action>>;
