import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Account } from '../../../contracts/resources/account.ts';
import { call, Failed } from '../api.ts';
import { rememberNext } from '../session.ts';
import { Trouble } from './form.tsx';

/** Shows its content to who is signed in, and sends everybody else to sign in and back here. */
export function SignedIn({ children }: { readonly children: (account: Account) => ComponentChildren }) {
  const account = useSignal<Account | undefined>(undefined);
  const failure = useSignal<Failed | undefined>(undefined);
  const { route, url } = useLocation();
  useEffect(() => {
    call<Account>('GET', '/v1/account/me').then(
      (me) => (account.value = me),
      (error: unknown) => {
        if (!(error instanceof Failed)) throw error;
        if (error.problem?.status !== 401) return (failure.value = error);
        rememberNext(url);
        route('/console/sign-in', true);
      },
    );
  }, []);
  if (failure.value) return <Trouble failure={failure.value} />;
  return account.value === undefined ? null : <>{children(account.value)}</>;
}
