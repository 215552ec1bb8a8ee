import { useSignal } from '@preact/signals';
import { callOpen } from '../api.ts';
import { words } from '../strings.ts';
import { Card, Field, Form } from './form.tsx';

/** Has a link sent to an address, and says the same whether there is an account. */
export function AskForLink({ title, path }: { readonly title: string; readonly path: string }) {
  const email = useSignal('');
  const isSent = useSignal(false);
  const send = async () => {
    await callOpen('POST', path, { email: email.value });
    isSent.value = true;
  };
  if (isSent.value)
    return (
      <Card title={words.checkMail}>
        <p role="status">{words.linkSent}</p>
      </Card>
    );
  return (
    <Card title={title}>
      <Form submit={words.sendLink} onSubmit={send}>
        <Field label={words.email} value={email} type="email" autocomplete="username" />
      </Form>
    </Card>
  );
}
