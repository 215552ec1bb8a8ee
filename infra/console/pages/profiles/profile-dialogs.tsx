import { useSignal } from '@preact/signals';
import {
  profileSnapshots,
  profiles,
  type Profile,
  type TrimProfile,
} from '../../../../contracts/client/index.ts';
import { bytesText } from '../../parts/amounts.ts';
import { Checks, Field, Form } from '../../parts/form.tsx';
import { save } from '../../parts/save.ts';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = profiles(connection);

interface DialogProps {
  readonly of: Profile;
  readonly onDone: () => void;
}

export function Edit({ of: profile, onDone }: DialogProps) {
  const [name, description] = [useSignal(profile.name), useSignal(profile.description ?? '')];
  const save = async () => {
    await service.update(profile.id, {
      name: name.value,
      description: description.value === '' ? null : description.value,
    });
    onDone();
  };
  return (
    <Form submit={words.save} onSubmit={save}>
      <Field label={words.name} value={name} />
      <Field label={words.description} value={description} isOptional />
    </Form>
  );
}

export function Snapshot({ of: { id }, onDone }: DialogProps) {
  const label = useSignal('');
  const take = async () => {
    await profileSnapshots(connection).create(id, { label: label.value });
    onDone();
  };
  return (
    <Form submit={words.snapshot} onSubmit={take}>
      <Field label={words.label} value={label} />
    </Form>
  );
}

export function Transfer({ of: { id } }: DialogProps) {
  const [account, told] = [useSignal(''), useSignal('')];
  const offer = async () => {
    await service.transfer(id, { to_account_id: account.value.trim() });
    told.value = filled(words.transferred, { account: account.value.trim(), id });
  };
  return (
    <>
      <Form submit={words.transfer} onSubmit={offer}>
        <Field label={words.transferTo} value={account} hint={words.transferHint} />
      </Form>
      <p role="status">{told.value}</p>
    </>
  );
}

export function Trim({ of: { id } }: DialogProps) {
  const keep = useSignal<readonly string[]>(['cookies', 'local_storage']);
  const told = useSignal('');
  const trim = async () => {
    const { before_bytes, after_bytes } = await service.trim(id, {
      keep: [...keep.value] as TrimProfile['keep'],
    });
    told.value = filled(words.trimmed, { before: bytesText(before_bytes), after: bytesText(after_bytes) });
  };
  return (
    <>
      <Form submit={words.trim} onSubmit={trim}>
        <Checks label={words.state} value={keep} options={words.kinds} hint={words.trimHint} />
      </Form>
      <p role="status">{told.value}</p>
    </>
  );
}

interface ExportProps extends DialogProps {
  readonly onPassphrase: (passphrase: string) => void;
}

/** Saves the file unchanged. A generated passphrase is shown once. */
export function Export({ of: { id, name }, onDone, onPassphrase }: ExportProps) {
  const passphrase = useSignal('');
  const take = async () => {
    const made = await service.export(id, passphrase.value === '' ? {} : { passphrase: passphrase.value });
    save(`${name}.profile`, 'text/plain', made.data);
    if (made.passphrase !== undefined) onPassphrase(made.passphrase);
    onDone();
  };
  return (
    <Form submit={words.export} onSubmit={take}>
      <Field
        label={words.passphrase}
        value={passphrase}
        type="password"
        autocomplete="off"
        hint={words.passphraseHint}
        isOptional
      />
    </Form>
  );
}
