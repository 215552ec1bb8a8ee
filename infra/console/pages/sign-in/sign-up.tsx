import { useSignal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { filled } from '../../strings.ts';
import { termsRevision as revision } from '../../service.ts';
import { service } from './steps.ts';
import { words } from './strings.ts';
import { Unverified } from './unverified.tsx';

export function SignUp() {
  const [email, password] = [useSignal(''), useSignal('')];
  const isDone = useSignal(false);
  const signUp = async () => {
    const terms = { legal_revision: revision === '' ? 'none' : revision };
    await service.signup({ email: email.value, password: password.value, ...terms });
    isDone.value = true;
  };
  if (isDone.value) return <Unverified email={email.value} />;
  return (
    <Card title={words.signUp}>
      <Form submit={words.signUp} onSubmit={signUp}>
        <Field label={words.email} value={email} type="email" autocomplete="username" />
        <Field
          label={words.password}
          value={password}
          type="password"
          autocomplete="new-password"
          hint={words.passwordHint}
          minLength={12}
        />
        {revision !== '' && <p class="hint">{filled(words.terms, { revision })}</p>}
      </Form>
      <p class="links">
        <span>{words.hasAccount}</span> <a href={addressOf('/sign-in')}>{words.signIn}</a>
      </p>
    </Card>
  );
}
