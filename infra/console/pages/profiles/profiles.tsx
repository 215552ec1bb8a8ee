import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { profiles, type Profile } from '../../../../contracts/client/index.ts';
import { bytesText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { Field, Form, TextArea } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { ProfileState } from './profile-state.tsx';
import { words } from './strings.ts';

const service = profiles(connection);

const columns: readonly Column<Profile>[] = [
  { name: words.name, cell: ({ name }) => name },
  { name: words.state, cell: ({ save_state }) => <ProfileState save_state={save_state} /> },
  { name: words.size, cell: ({ storage_bytes: bytes }) => bytesText(bytes) },
  { name: words.archetype, cell: ({ archetype }) => archetype, isMinor: true },
  { name: words.lastUsed, cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />) },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

const changedBy = ['session.completed', 'session.profile_save_failed'];

export const Profiles = () => (
  <Page
    title={words.profiles}
    actions={
      <>
        <a href={addressOf('/profiles/trash')}>{words.trash}</a>
        <Opens label={words.acceptTransfer}>{() => <Accept />}</Opens>
        <Opens label={words.import} title={words.importTitle}>
          {() => <Import />}
        </Opens>
        <Opens label={words.newProfile} kind="main">
          {() => <NewProfile />}
        </Opens>
      </>
    }
  >
    <List
      name={words.profiles}
      read={(asked) => service.list(asked)}
      keyOf={({ id }) => id}
      columns={columns}
      hrefOf={({ id }) => placeOf(id)}
      empty={words.none}
      changedBy={changedBy}
    />
  </Page>
);

function NewProfile() {
  const { route } = useLocation();
  const [name, description] = [useSignal(''), useSignal('')];
  const create = async () => {
    const { id } = await service.create({
      name: name.value,
      ...(description.value === '' ? {} : { description: description.value }),
    });
    route(addressOf(`/profiles/${id}`));
  };
  return (
    <Form submit={words.create} onSubmit={create}>
      <Field label={words.name} value={name} />
      <Field label={words.description} value={description} isOptional />
    </Form>
  );
}

/** Accepts a profile that another account has offered, by its id: offers are in no list. */
function Accept() {
  const { route } = useLocation();
  const id = useSignal('');
  const accept = async () => {
    const taken = await service.acceptTransfer(id.value.trim());
    route(addressOf(`/profiles/${taken.id}`));
  };
  return (
    <Form submit={words.accept} onSubmit={accept}>
      <Field label={words.profile} value={id} hint={words.acceptHint} />
    </Form>
  );
}

function Import() {
  const { route } = useLocation();
  const [name, data, passphrase] = [useSignal(''), useSignal(''), useSignal('')];
  const take = async () => {
    const { id } = await service.import({
      ...{ name: name.value, data: data.value.trim() },
      ...(passphrase.value === '' ? {} : { passphrase: passphrase.value }),
    });
    route(addressOf(`/profiles/${id}`));
  };
  return (
    <Form submit={words.import} onSubmit={take}>
      <Field label={words.name} value={name} />
      <TextArea label={words.importFile} value={data} isSecret />
      <Field label={words.passphrase} value={passphrase} type="password" autocomplete="off" isOptional />
    </Form>
  );
}
