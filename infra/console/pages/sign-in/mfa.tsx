import { useSignal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import { codeIn } from '../../parts/code.ts';
import { Field, Form } from '../../parts/form.tsx';
import { ToSignIn } from './link-page.tsx';
import { awaitsSecondStep, secondStep } from './steps.ts';
import { words } from './strings.ts';

/** The second step of signing in. */
export function Mfa() {
  const code = useSignal('');
  if (!awaitsSecondStep())
    return (
      <Card title={words.mfaTitle}>
        <ToSignIn />
      </Card>
    );
  return (
    <Card title={words.mfaTitle}>
      <Form submit={words.signIn} onSubmit={() => secondStep(codeIn(code.value))}>
        <Field label={words.code} value={code} autocomplete="one-time-code" hint={words.mfaText} />
      </Form>
      <ToSignIn />
    </Card>
  );
}
