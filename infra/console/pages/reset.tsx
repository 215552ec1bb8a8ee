import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { callOpen } from '../api.ts';
import { AskForLink } from '../parts/ask-for-link.tsx';
import { Field } from '../parts/form.tsx';
import { LinkPage, ToSignIn } from '../parts/link-page.tsx';
import { takeToken } from '../parts/token.ts';
import { words } from '../strings.ts';

export function Reset() {
  const password = useSignal('');
  const hasToken = useMemo(() => takeToken() !== '', []);
  if (!hasToken) return <AskForLink title={words.resetTitle} path="/v1/auth/password-reset/request" />;
  return (
    <LinkPage
      title={words.resetTitle}
      submit={words.resetButton}
      use={async (token) => {
        await callOpen('POST', '/v1/auth/password-reset/confirm', { token, password: password.value });
        return words.resetDone;
      }}
      done={<ToSignIn />}
    >
      <Field
        label={words.password}
        value={password}
        type="password"
        autocomplete="new-password"
        hint={words.passwordHint}
        minLength={12}
      />
    </LinkPage>
  );
}
