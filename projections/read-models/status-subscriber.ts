import { statusSubscriberEvents } from '../../contracts/events/status-subscriber.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { statusSubscriber, type StatusSubscriber } from '../../domain/status-subscriber.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import { readModel } from '../engine/read-model.ts';
import { digest, jsonOf, textOf, type RowOf } from '../engine/table.ts';

const columns = {
  /** The uuid of the subscriber's stream. */
  id: textOf<string>(),
  state: jsonOf<StatusSubscriber>(),
};

const { category, initialState }: Pick<typeof statusSubscriber, 'category' | 'initialState'> =
  statusSubscriber;
// The rows have events of the category alone, checked against its schemas when they were appended.
const evolve = statusSubscriber.evolve as Decider<StatusSubscriber, never, DomainEvent>['evolve'];

const fold = (
  { stream, type, data }: DomainEvent & { readonly stream: string },
  row: RowOf<typeof columns> | undefined,
): RowOf<typeof columns> => ({
  id: stream.slice(category.name.length + 1),
  state: evolve(row?.state ?? initialState, { type, data }),
});

/** Who is told of incidents, or asked to be: the states of the decider. Addresses are sealed. */
export const statusSubscribers = readModel('status_subscribers', {
  of: statusSubscriberEvents,
  id: ({ stream }) => stream.slice(category.name.length + 1),
  columns,
  indexes: ["(id) where state -> 'confirmed' <> 'null'::jsonb"],
  handlers: digest(JSON.stringify(category.types)),
  creates: {},
  folds: { SubscriptionRequested: fold, SubscriptionConfirmed: fold, SubscriptionEnded: fold },
});
