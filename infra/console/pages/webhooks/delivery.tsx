import { useLocation, useRoute } from 'preact-iso';
import {
  webhookDeliveries,
  webhooks,
  type DeliveryAttempt,
  type WebhookDelivery,
} from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, durationText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { DeliveryStatus, answerOf } from './statuses.tsx';
import { words } from './strings.ts';

const timing = (ms: number | null): string => (ms === null ? '' : durationText(ms));

const columns: readonly Column<DeliveryAttempt>[] = [
  { name: words.at, cell: ({ at }) => <Time at={at} /> },
  { name: words.answer, cell: answerOf },
  { name: words.took, cell: ({ duration_ms }) => durationText(duration_ms) },
  { name: words.resolved, cell: ({ timings }) => timing(timings.resolve_ms), isMinor: true },
  { name: words.connected, cell: ({ timings }) => timing(timings.connect_ms), isMinor: true },
  { name: words.firstByte, cell: ({ timings }) => timing(timings.first_byte_ms), isMinor: true },
];

/** How many of an endpoint's latest deliveries are looked through. */
const LATEST = 1_000;

/** The API lists deliveries by endpoint: that of the address, or else all of the account. */
async function find(id: string, webhook: string | undefined): Promise<WebhookDelivery | undefined> {
  const service = webhooks(connection);
  const endpoints = webhook === undefined ? await idsOf(service.list({ limit: 100 })) : [webhook];
  for (const endpoint of endpoints) {
    let seen = 0;
    for await (const delivery of service.deliveries(endpoint, { limit: 100 })) {
      if (delivery.id === id) return delivery;
      if ((seen += 1) >= LATEST) break;
    }
  }
  return undefined;
}

async function idsOf(list: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

/** One delivery: each attempt with what the receiver said, and the way to send it again. */
export function DeliveryPage() {
  const { id = '' } = useRoute().params;
  const { webhook } = useLocation().query;
  return (
    <Read what={id} read={() => find(id, webhook)}>
      {(delivery) =>
        delivery === undefined ? (
          <Page title={words.delivery}>
            <p>{words.notFound}</p>
          </Page>
        ) : (
          <Page title={delivery.event_type} actions={hasEnded(delivery) ? <Again id={id} /> : null}>
            <What of={delivery} />
            <h2>{words.attempts}</h2>
            <Table name={words.attempts} items={delivery.attempts} keyOf={({ at }) => at} columns={columns} />
          </Page>
        )
      }
    </Read>
  );
}

const hasEnded = ({ status }: WebhookDelivery): boolean => status !== 'pending' && status !== 'retrying';

const Again = ({ id }: { readonly id: string }) => (
  <Act
    label={words.sendAgain}
    act={async () => {
      const { delivery_id } = await webhookDeliveries(connection).replay(id);
      return filled(words.sentAgain, { id: delivery_id });
    }}
  />
);

const What = ({ of: delivery }: { readonly of: WebhookDelivery }) => (
  <Facts
    of={[
      [words.delivery, <Id id={delivery.id} isHere />],
      [words.webhook, <Id id={delivery.endpoint_id} />],
      [words.status, <DeliveryStatus status={delivery.status} />],
      [words.event, <Id id={delivery.event_id} />],
      [words.trigger, words.triggers[delivery.trigger]],
      [words.replayOf, delivery.replay_of && <Id id={delivery.replay_of} />],
      [words.created, <Time at={delivery.created_at} />],
      [words.next, delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />],
      [words.delivered, delivery.delivered_at && <Time at={delivery.delivered_at} />],
    ]}
  />
);
