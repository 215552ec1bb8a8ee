import { useSignal } from '@preact/signals';
import { Connection, account } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { takeNext } from '../../parts/next.ts';
import { enterByKey } from '../../service.ts';
import { words } from './strings.ts';
import { ToSignIn } from './link-page.tsx';

const refused = { 'invalid-key': words.keyRefused, unauthorized: words.keyRefused };

/** Signs in with an API key, which is checked before it is stored. */
export function KeyForm() {
  const key = useSignal('');
  const enter = async () => {
    const apiKey = key.value.trim();
    await account(new Connection({ baseUrl: location.origin, apiKey })).me();
    enterByKey(apiKey, takeNext());
  };
  return (
    <Card title={words.withKey}>
      <Form submit={words.useKey} onSubmit={enter} says={refused}>
        <Field label={words.key} value={key} type="password" autocomplete="off" hint={words.keyHint} />
      </Form>
      <ToSignIn />
    </Card>
  );
}
