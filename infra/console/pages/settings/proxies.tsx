import { useSignal } from '@preact/signals';
import { proxies, type Proxy } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf } from '../../parts/places.ts';
import { Status } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = proxies(connection);

const columns: readonly Column<Proxy>[] = [
  { name: words.label, cell: ({ label }) => label },
  { name: words.host, cell: ({ scheme, host, port }) => <code>{`${scheme}://${host}:${port}`}</code> },
  { name: words.username, cell: ({ username }) => username, isMinor: true },
  { name: words.lastCheck, cell: ({ last_check: check }) => <Checked of={check} /> },
  {
    name: words.do,
    cell: ({ id }) => (
      <div class="buttons">
        <ProxyActs id={id} />
      </div>
    ),
  },
];

/** Result of a check of the proxy. */
export function Checked({ of: check }: { readonly of: Proxy['last_check'] }) {
  if (check === null) return null;
  if (check.ok) return <Status tone="good" word={words.works} />;
  return <Status tone="bad" word={check.reason === null ? '' : words.checks[check.reason]} />;
}

interface ProxyActsProps extends Pick<Proxy, 'id'> {
  /** Given on the proxy's own page. */
  readonly onDeleted?: () => void;
}

export const ProxyActs = ({ id, onDeleted }: ProxyActsProps) => (
  <>
    <Act label={words.check} act={async () => void (await service.check(id))} />
    <Act
      label={words.delete}
      question={{ title: words.deleteTitle, text: words.deleteText, confirm: words.delete }}
      act={async () => {
        await service.delete(id);
        onDeleted?.();
      }}
    />
  </>
);

/** Saved proxies, which sessions can use. */
export function Proxies() {
  return (
    <Page
      title={words.proxies}
      actions={
        <Opens label={words.newProxy} kind="main">
          {(close) => <NewProxy onDone={close} />}
        </Opens>
      }
    >
      <List
        name={words.proxies}
        read={(asked) => service.list(asked)}
        keyOf={({ id }) => id}
        columns={columns}
        hrefOf={({ id }) => addressOf(`/settings/proxies/${id}`)}
        empty={words.noProxy}
      />
    </Page>
  );
}

function NewProxy({ onDone }: { readonly onDone: () => void }) {
  const scheme = useSignal<string>('http');
  const [label, host, port] = [useSignal(''), useSignal(''), useSignal('')];
  const [username, password] = [useSignal(''), useSignal('')];
  const create = async () => {
    await service.create({
      ...{ label: label.value, host: host.value, port: Number(port.value) },
      scheme: scheme.value as Proxy['scheme'],
      ...(username.value === '' ? {} : { username: username.value }),
      ...(password.value === '' ? {} : { password: password.value }),
    });
    onDone();
  };
  return (
    <Form submit={words.create} onSubmit={create}>
      <Field label={words.label} value={label} />
      <Choice label={words.scheme} value={scheme} options={words.schemes} />
      <Field label={words.host} value={host} />
      <Field label={words.port} value={port} type="number" />
      <Field label={words.username} value={username} autocomplete="off" isOptional />
      <Field label={words.password} value={password} type="password" autocomplete="off" isOptional />
    </Form>
  );
}
