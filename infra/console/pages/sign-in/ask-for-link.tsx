import { useSignal } from '@preact/signals';
import type { Call } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { words } from './strings.ts';

interface AskForLinkProps {
  readonly title: string;
  readonly ask: (body: { email: string }) => Call<unknown>;
}

/** Requests a link for an address; the answer does not reveal whether there is an account. */
export function AskForLink({ title, ask }: AskForLinkProps) {
  const email = useSignal('');
  const isSent = useSignal(false);
  const send = async () => {
    await ask({ email: email.value });
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
