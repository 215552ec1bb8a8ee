import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { callOpen, Failed } from '../api.ts';
import { Card, Field, Form } from '../parts/form.tsx';
import { signInBy } from '../session.ts';
import { filled, words } from '../strings.ts';

export function SignIn() {
  const [email, password] = [useSignal(''), useSignal('')];
  const unverified = useSignal(false);
  const { route } = useLocation();
  const signIn = async () => {
    try {
      route(await signInBy('/v1/auth/login', { email: email.value, password: password.value }));
    } catch (error) {
      if (!(error instanceof Failed) || !error.is('email-not-verified')) throw error;
      unverified.value = true;
    }
  };
  if (unverified.value) return <Unverified email={email.value} />;
  return (
    <Card title={words.signIn}>
      <Form submit={words.signIn} onSubmit={signIn}>
        <Field label={words.email} value={email} type="email" autocomplete="username" />
        <Field label={words.password} value={password} type="password" autocomplete="current-password" />
      </Form>
      <p class="links">
        <a href="/console/magic-link">{words.withLink}</a>
        <a href="/console/reset">{words.forgot}</a>
        <a href="/console/sign-up">{words.signUp}</a>
      </p>
    </Card>
  );
}

/** An account whose address nobody has shown to be theirs. */
export function Unverified({ email }: { readonly email: string }) {
  const again = useSignal(false);
  const send = async () => {
    await callOpen('POST', '/v1/auth/verify-email/resend', { email });
    again.value = true;
  };
  return (
    <Card title={words.checkMail}>
      <p role="status">{again.value ? words.linkSent : filled(words.verifyFirst, { email })}</p>
      <Form submit={words.sendAgain} onSubmit={send} />
    </Card>
  );
}
