import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Call } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { words } from './strings.ts';

export interface AskForLinkProps {
  readonly title: string;
  readonly ask: (body: { email: string }) => Call<unknown>;
  /** Shown above the form. */
  readonly children?: ComponentChildren;
}

/** Requests a link for an address; the answer does not reveal whether there is an account. */
export function AskForLink({ title, ask, children }: AskForLinkProps) {
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
      {children}
      <Form submit={words.sendLink} onSubmit={send}>
        <Field label={words.email} value={email} type="email" autocomplete="username" />
      </Form>
    </Card>
  );
}
