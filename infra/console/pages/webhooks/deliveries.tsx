import { webhooks, type WebhookDelivery } from '../../../../contracts/client/index.ts';
import type { Filter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { placeOf } from '../../parts/places.ts';
import { Time, shortId } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { DeliveryStatus, answerOf } from './statuses.tsx';
import { eventTypes, words } from './strings.ts';

const columns: readonly Column<WebhookDelivery>[] = [
  { name: words.delivery, cell: ({ id }) => <code title={id}>{shortId(id)}</code> },
  { name: words.event, cell: ({ event_type }) => event_type },
  { name: words.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
  {
    name: words.lastAnswer,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? words.noAnswer : answerOf(last);
    },
  },
  { name: words.attempts, cell: ({ attempt_count }) => attempt_count, isMinor: true },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

const filters: readonly Filter<WebhookDelivery>[] = [
  { name: 'status', label: words.status, options: words.deliveryStatuses },
  { name: 'event_type', label: words.event, options: { ...eventTypes, 'test.ping': 'test.ping' } },
];

/** Deliveries of an endpoint with their status. */
export const Deliveries = ({ id }: { readonly id: string }) => (
  <section>
    <h2>{words.deliveries}</h2>
    <List
      name={words.deliveries}
      read={(page, values) => webhooks(connection).deliveries(id, { ...page, ...values })}
      keyOf={(delivery) => delivery.id}
      columns={columns}
      hrefOf={(delivery) => placeOf(delivery.id)}
      filters={filters}
      empty={words.noDelivery}
    />
  </section>
);
