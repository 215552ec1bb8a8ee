import { useSignal } from '@preact/signals';
import { keys, type ApiKey } from '../../../../contracts/client/index.ts';
import { endOfDay } from '../../parts/days.ts';
import { Checks, Field, Form } from '../../parts/form.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

interface NewKeyProps {
  readonly onMade: (key: string) => void;
}

/** Creates a key with a name and scopes. */
export function NewKey({ onMade }: NewKeyProps) {
  const name = useSignal('');
  const expires = useSignal('');
  const scopes = useSignal<readonly string[]>(['read', 'write']);
  const create = async () => {
    const { key } = await keys(connection).create({
      name: name.value,
      scopes: [...scopes.value] as ApiKey['scopes'],
      ...(expires.value === '' ? {} : { expires_at: endOfDay(expires.value).toISOString() }),
    });
    onMade(key);
  };
  return (
    <Form submit={words.create} onSubmit={create}>
      <Field label={words.name} value={name} maxLength={120} />
      <Checks label={words.scopes} value={scopes} options={words.scopeNames} hint={words.scopesHint} />
      <Field label={words.expires} value={expires} type="date" hint={words.expiresHint} isOptional />
    </Form>
  );
}
