import { useSignal } from '@preact/signals';
import { Field } from '../../parts/form.tsx';
import { LinkPage, ToSignIn } from './link-page.tsx';
import { service } from './steps.ts';
import { words } from './strings.ts';

export function Reset() {
  const password = useSignal('');
  return (
    <LinkPage
      title={words.resetTitle}
      submit={words.resetButton}
      ask={service.passwordResetRequest}
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
