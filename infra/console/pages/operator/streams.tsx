import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import type { OperatorEvent } from '../../../../contracts/operator.ts';
import { Page } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { addressOf } from '../../parts/places.ts';
import { Json, Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { service } from './service.ts';
import { streamAddress } from './stream-link.tsx';
import { words } from './strings.ts';

const traceAddress = (id: string): string => addressOf(`/traces/${encodeURIComponent(id)}`);

interface GoProps {
  readonly label: string;
  readonly submit: string;
  readonly hint?: string;
  readonly addressOf: (text: string) => string;
}

function Go({ label, submit, hint, addressOf: to }: GoProps) {
  const text = useSignal('');
  const { route } = useLocation();
  return (
    <Form submit={submit} onSubmit={() => Promise.resolve(route(to(text.value.trim())))}>
      <Field label={label} value={text} {...(hint && { hint })} />
    </Form>
  );
}

/** Opens a stream by its name, or the trace of a request, event, delivery, mail or order. */
export const Streams = () => (
  <Page title={words.streams}>
    <h2>{words.stream}</h2>
    <Go
      label={words.streamName}
      submit={words.openStream}
      hint={words.streamHint}
      addressOf={streamAddress}
    />
    <h2>{words.trace}</h2>
    <Go label={words.traceOf} submit={words.openTrace} addressOf={traceAddress} />
  </Page>
);

const columns: readonly Column<OperatorEvent>[] = [
  { name: words.number, cell: ({ revision }) => revision },
  {
    name: words.event,
    cell: ({ id, type, created }) => (
      <>
        {type}
        <br />
        <Time at={created} />
        <br />
        <a href={traceAddress(id)}>{words.showCauses}</a>
      </>
    ),
  },
  { name: words.what, cell: ({ data, metadata }) => <Json value={{ data, metadata }} /> },
];

/** The events of one stream, as they are stored. */
export function Stream() {
  const { name = '' } = useRoute().params;
  return (
    <Page title={name}>
      <List
        name={words.stream}
        read={(asked) => service.stream(name, asked)}
        keyOf={({ revision }) => revision}
        columns={columns}
        empty={words.noEvent}
      />
    </Page>
  );
}
