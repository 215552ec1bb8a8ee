import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { webhooks, type Webhook } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Checks, Field, Form } from '../../parts/form.tsx';
import { Opens } from '../../parts/opens.tsx';
import { Once } from '../../parts/once.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, timeText } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { Deliveries } from './deliveries.tsx';
import { Replay } from './replay.tsx';
import { WebhookStatus } from './statuses.tsx';
import { eventTypes, words } from './strings.ts';
import { Verifying } from './verifying.tsx';

const service = webhooks(connection);

/** One endpoint: event types, secret and deliveries. */
export function WebhookPage() {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const made = useSignal<{ readonly secret: string; readonly until: string } | undefined>(undefined);
  const rotate = async () => {
    const { secret, previous_secret_expires_at: until } = await service.rotateSecret(id);
    made.value = { secret, until };
  };
  return (
    <Read what={id} read={() => service.get(id)}>
      {(webhook) => (
        <Page
          title={webhook.description ?? webhook.url}
          actions={<Changes of={webhook} rotate={rotate} onDeleted={() => route(addressOf('/webhooks'))} />}
        >
          {made.value && (
            <Once
              title={words.once}
              text={made.value.secret}
              hint={filled(words.rotatedUntil, { time: timeText(made.value.until) })}
              file={words.file}
              onKept={() => (made.value = undefined)}
            />
          )}
          <What of={webhook} />
          <Verifying />
          <Deliveries id={id} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

interface ChangesProps {
  readonly of: Webhook;
  readonly rotate: () => Promise<void>;
  readonly onDeleted: () => void;
}

const Changes = ({ of: webhook, rotate, onDeleted }: ChangesProps) => (
  <>
    <Act label={words.test} act={() => service.test(webhook.id).then(() => words.tested)} />
    <Opens label={words.replay}>{() => <Replay id={webhook.id} />}</Opens>
    <Opens label={words.edit}>{(close) => <Change of={webhook} onDone={close} />}</Opens>
    <Act
      label={words.rotate}
      question={{ title: words.rotateTitle, text: words.rotateText, confirm: words.rotate }}
      act={rotate}
    />
    <Act
      label={words.delete}
      kind="danger"
      question={{ title: words.deleteTitle, text: words.deleteText, confirm: words.delete }}
      act={async () => {
        await service.delete(webhook.id);
        onDeleted();
      }}
    />
  </>
);

const What = ({ of: webhook }: { readonly of: Webhook }) => (
  <Facts
    of={[
      [words.webhook, <Id id={webhook.id} isHere />],
      [words.url, <code>{webhook.url}</code>],
      [words.status, <WebhookStatus of={webhook} />],
      [words.events, webhook.events.join(', ')],
      [words.failures, webhook.consecutive_failures > 0 && webhook.consecutive_failures],
      [words.disabled, webhook.disabled_at && <Time at={webhook.disabled_at} />],
      [words.created, <Time at={webhook.created_at} />],
      [words.secretSince, <Time at={webhook.secret_created_at} />],
      [
        words.graceUntil,
        webhook.previous_secret_expires_at && <Time at={webhook.previous_secret_expires_at} />,
      ],
    ]}
  />
);

function Change({ of: webhook, onDone }: { readonly of: Webhook; readonly onDone: () => void }) {
  const description = useSignal(webhook.description ?? '');
  const events = useSignal<readonly string[]>(webhook.events);
  const save = async () => {
    await service.update(webhook.id, {
      events: [...events.value] as Webhook['events'],
      description: description.value === '' ? null : description.value,
    });
    onDone();
  };
  return (
    <Form submit={words.save} onSubmit={save}>
      <Field label={words.description} value={description} isOptional />
      <Checks label={words.events} value={events} options={eventTypes} hint={words.eventsHint} />
    </Form>
  );
}
