import { useSignal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import { Form } from '../../parts/form.tsx';
import { filled } from '../../strings.ts';
import { service } from './steps.ts';
import { words } from './strings.ts';

/** Page of an account with an unverified address. */
export function Unverified({ email }: { readonly email: string }) {
  const again = useSignal(false);
  const send = async () => {
    await service.verifyEmailResend({ email });
    again.value = true;
  };
  return (
    <Card title={words.checkMail}>
      <p role="status">{again.value ? words.linkSent : filled(words.verifyFirst, { email })}</p>
      <Form submit={words.sendAgain} onSubmit={send} />
    </Card>
  );
}
