import { useRoute } from 'preact-iso';
import {
  webhookDeliveries,
  type DeliveryAttempt,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
} from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, durationText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { DeliveryStatus, answerOf } from './statuses.tsx';
import { words } from './strings.ts';

const service = webhookDeliveries(connection);

const timing = (ms: number | null): string => (ms === null ? '' : durationText(ms));

const columns: readonly Column<DeliveryAttempt>[] = [
  { name: words.at, cell: ({ at }) => <Time at={at} /> },
  { name: words.answer, cell: answerOf },
  { name: words.took, cell: ({ duration_ms }) => durationText(duration_ms) },
  { name: words.resolved, cell: ({ timings }) => timing(timings.resolve_ms), isMinor: true },
  { name: words.connected, cell: ({ timings }) => timing(timings.connect_ms), isMinor: true },
  { name: words.firstByte, cell: ({ timings }) => timing(timings.first_byte_ms), isMinor: true },
];

/** One delivery: its request, each attempt with the receiver's answer, and a button that resends it. */
export function DeliveryPage() {
  const { id = '' } = useRoute().params;
  return (
    <Read what={id} read={() => service.get(id)}>
      {(delivery) => (
        <Page title={delivery.event_type} actions={hasEnded(delivery) ? <Again id={id} /> : null}>
          <What of={delivery} />
          <h2>{words.attempts}</h2>
          {delivery.attempts.length === 0 ? (
            <p>{words.noAttempt}</p>
          ) : (
            <Table name={words.attempts} items={delivery.attempts} keyOf={({ at }) => at} columns={columns} />
          )}
          <p class="hint">{words.answerKept}</p>
          <Sent request={delivery.request} />
        </Page>
      )}
    </Read>
  );
}

const Sent = ({ request: { method, url, headers, body } }: Pick<WebhookDeliveryDetail, 'request'>) => (
  <section>
    <div class="heading">
      <h2>{words.sent}</h2>
      <Copy text={body} of={words.body} />
    </div>
    <p class="hint">{words.sentText}</p>
    <pre tabIndex={0}>
      {[
        `${method} ${url}`,
        ...headers.map(({ name, value }) => `${name}: ${value ?? words.signature}`),
        '',
        body,
      ].join('\n')}
    </pre>
  </section>
);

const hasEnded = ({ status }: WebhookDelivery): boolean => status !== 'pending' && status !== 'retrying';

const Again = ({ id }: { readonly id: string }) => (
  <Act
    label={words.sendAgain}
    act={async () => {
      const { delivery_id } = await service.replay(id);
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
