import { dayMs } from '../../../../contracts/durations.ts';
import { highestOf, type Tier } from '../../../../contracts/tiers.ts';
import { byStream, field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Invariant } from './invariant.ts';

export const tiersArePaidFor: Invariant = {
  id: 'N19',
  holds:
    'The tier of an account is the highest of what was paid and has not ended. Each paid order gives its tier once, for its days, after those that it follows; the card gives the highest tier of the subscriptions that are paid for.',
  judged:
    'the raw account streams against the raw order streams and the subscriptions in the books of the card processor’s stand-in',
  violations: (evidence) => {
    const paid = grouped(
      evidence.log.filter(({ type }) => type === 'OrderPaid'),
      (event) => field(event, 'accountId'),
    );
    return [...byStream(evidence.log, 'account')].flatMap(([stream, events]) => {
      const account = `acc_${stream.slice('account-'.length)}`;
      return [
        ...orderGrants(events, paid.get(account) ?? []),
        ...cardGrant(evidence, events, account),
        ...tier(events),
      ].map((what) => ({ what, stream }));
    });
  },
};

const grants = (events: readonly LogEvent[]): readonly LogEvent[] =>
  events.filter(({ type }) => type === 'EntitlementGranted');

function orderGrants(events: readonly LogEvent[], paid: readonly LogEvent[]): string[] {
  const bySource = grouped(grants(events), (event) => field(event, 'source'));
  const orders = new Set(paid.map((event) => field(event, 'orderId')));
  const unpaid = [...bySource.keys()].filter((source) => source !== 'card' && !orders.has(source));
  return [
    ...unpaid.map((source) => `${source} gives a tier, and was not paid`),
    ...paid.flatMap((order) => {
      const source = field(order, 'orderId');
      const given = bySource.get(source) ?? [];
      const [grant] = given;
      if (grant === undefined || given.length > 1)
        return [`${source} was paid, and gave ${given.length} tiers`];
      const until = dueUntil(grant, events, Number(order.data.days));
      const isRight = grant.data.tier === order.data.tier && grant.data.until === until;
      return isRight
        ? []
        : [`${source} gave ${field(grant, 'tier')} until ${field(grant, 'until')}, not ${until}`];
    }),
  ];
}

/** Its days begin when those of earlier orders for the same tier end. */
function dueUntil(grant: LogEvent, events: readonly LogEvent[], days: number): string {
  const before = events.slice(0, events.indexOf(grant));
  const running = [...active(before).values()].filter(({ data }) => data.tier === grant.data.tier);
  const ends = running.flatMap(({ data }) => (typeof data.until === 'string' ? [data.until] : []));
  const from = [field(grant, 'at'), ...ends].toSorted().at(-1) ?? '';
  return new Date(Date.parse(from) + days * dayMs).toISOString();
}

/** Grants that have not ended, by source. */
function active(events: readonly LogEvent[]): ReadonlyMap<string, LogEvent> {
  const running = new Map<string, LogEvent>();
  for (const event of events) {
    if (event.type === 'EntitlementGranted') running.set(field(event, 'source'), event);
    if (event.type === 'EntitlementEnded') running.delete(field(event, 'source'));
  }
  return running;
}

/** A deliberate second copy. */
const entitling = ['trialing', 'active', 'past_due'];

function cardGrant({ payments }: Evidence, events: readonly LogEvent[], account: string): string[] {
  const due = payments.subscriptions
    .filter((each) => each.account === account && entitling.includes(each.status))
    .map((each) => each.tier);
  const expected = due.length === 0 ? 'none' : highestOf(due);
  const grant = active(events).get('card');
  const given = grant === undefined ? 'none' : field(grant, 'tier');
  return given === expected ? [] : [`the card gives it ${given}, and pays for ${expected}`];
}

function tier(events: readonly LogEvent[]): string[] {
  if (grants(events).length === 0) return [];
  const changed = events.findLast(({ type }) => type === 'TierChanged');
  const [created] = events;
  const now = changed === undefined ? created && field(created, 'tier') : field(changed, 'to');
  const expected = highestOf([...active(events).values()].map(({ data }) => data.tier as Tier));
  return now === expected ? [] : [`its tier is ${now}, and it has paid for ${expected}`];
}
