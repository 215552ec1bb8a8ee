import { useSignal } from '@preact/signals';
import { webhooks, type Webhook } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { Checks, Field, Form } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Opens } from '../../parts/opens.tsx';
import { Once } from '../../parts/once.tsx';
import { placeOf } from '../../parts/places.ts';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { WebhookStatus } from './statuses.tsx';
import { eventTypes, words } from './strings.ts';

const service = webhooks(connection);

const columns: readonly Column<Webhook>[] = [
  { name: words.url, cell: ({ url }) => url },
  { name: words.status, cell: (webhook) => <WebhookStatus of={webhook} /> },
  { name: words.description, cell: ({ description }) => description, isMinor: true },
  { name: words.events, cell: ({ events }) => events.length, isMinor: true },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

export function Webhooks() {
  const secret = useSignal<string | undefined>(undefined);
  return (
    <Page
      title={words.webhooks}
      actions={
        <Opens label={words.newWebhook} kind="main">
          {(close) => (
            <NewWebhook
              onMade={(made) => {
                secret.value = made;
                close();
              }}
            />
          )}
        </Opens>
      }
    >
      {secret.value !== undefined && (
        <Once
          title={words.once}
          text={secret.value}
          file={words.file}
          onKept={() => (secret.value = undefined)}
        />
      )}
      <List
        name={words.webhooks}
        read={(asked) => service.list(asked)}
        keyOf={({ id }) => id}
        columns={columns}
        hrefOf={({ id }) => placeOf(id)}
        empty={words.none}
      />
    </Page>
  );
}

interface NewWebhookProps {
  readonly onMade: (secret: string) => void;
}

function NewWebhook({ onMade }: NewWebhookProps) {
  const url = useSignal('');
  const description = useSignal('');
  const events = useSignal<readonly string[]>(['session.completed', 'session.failed']);
  const create = async () => {
    const { secret } = await service.create({
      url: url.value,
      events: [...events.value] as Webhook['events'],
      ...(description.value === '' ? {} : { description: description.value }),
    });
    onMade(secret);
  };
  return (
    <Form submit={words.create} onSubmit={create}>
      <Field label={words.url} value={url} type="url" />
      <Field label={words.description} value={description} isOptional />
      <Checks label={words.events} value={events} options={eventTypes} hint={words.eventsHint} />
    </Form>
  );
}
