import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { ServiceError } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { wasSignedOut } from '../../parts/signed-in.tsx';
import { service, signedIn } from './steps.ts';
import { words } from './strings.ts';
import { KeyForm } from './key-form.tsx';
import { Unverified } from './unverified.tsx';

export function SignIn() {
  const [email, password] = [useSignal(''), useSignal('')];
  const [unverified, withKey] = [useSignal(false), useSignal(false)];
  const { route } = useLocation();
  const signIn = async () => {
    try {
      signedIn(await service.login({ email: email.value, password: password.value }), route);
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.is('email-not-verified')) throw error;
      unverified.value = true;
    }
  };
  if (unverified.value) return <Unverified email={email.value} />;
  if (withKey.value) return <KeyForm />;
  return (
    <Card title={words.signIn}>
      {wasSignedOut.value && <p role="status">{words.signedOut}</p>}
      <Form submit={words.signIn} onSubmit={signIn}>
        <Field label={words.email} value={email} type="email" autocomplete="username" />
        <Field label={words.password} value={password} type="password" autocomplete="current-password" />
      </Form>
      <p class="links">
        <a href={addressOf('/magic-link')}>{words.withLink}</a>
        <a href={addressOf('/reset')}>{words.forgot}</a>
        <a href={addressOf('/sign-up')}>{words.signUp}</a>
        <button type="button" class="quiet" onClick={() => (withKey.value = true)}>
          {words.withKey}
        </button>
      </p>
    </Card>
  );
}
