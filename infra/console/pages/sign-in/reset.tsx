import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Field } from '../../parts/form.tsx';
import { AskForLink } from './ask-for-link.tsx';
import { LinkPage, ToSignIn } from './link-page.tsx';
import { service } from './steps.ts';
import { words } from './strings.ts';
import { takeToken } from '../../parts/token.ts';

export function Reset() {
  const password = useSignal('');
  const hasToken = useMemo(() => takeToken() !== '', []);
  if (!hasToken) return <AskForLink title={words.resetTitle} ask={service.passwordResetRequest} />;
  return (
    <LinkPage
      title={words.resetTitle}
      submit={words.resetButton}
      use={async (token) => {
        await service.passwordResetConfirm({ token, password: password.value });
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
