import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ServiceError, account, type Account } from '../../../contracts/client/index.ts';
import { actFor, connection, isSignedIn, owner } from '../service.ts';
import { Loading } from './loading.tsx';
import { rememberNext } from './next.ts';
import { addressOf } from './places.ts';
import { Trouble } from './trouble.tsx';

/** The signed-in account; undefined while it is unknown. */
export const me = signal<Account | undefined>(undefined);

/** Based on the newest hundred memberships, which `GET /v1/account/me` returns. */
const isForeign = ({ id, teams }: Account): boolean =>
  owner !== undefined &&
  owner !== id &&
  teams.length < 100 &&
  teams.every(({ owner_account_id }) => owner_account_id !== owner);

/** Loads the signed-in account if it is unknown; stops acting for an owner whose team the user has left. */
export async function readMe(): Promise<void> {
  const read = await account(connection).me();
  if (isForeign(read)) actFor(undefined);
  else me.value = read;
}

/** Renders its content for signed-in users, and redirects others to the sign-in and back. */
export function SignedIn({ children }: { readonly children: ComponentChildren }) {
  const failure = useSignal<{ readonly error: unknown } | undefined>(undefined);
  const { route, url } = useLocation();
  const read = () => {
    failure.value = undefined;
    readMe().catch((error: unknown) => {
      if (!(error instanceof ServiceError && error.status === 401)) failure.value = { error };
    });
  };
  useEffect(() => {
    if (me.value === undefined) read();
  }, []);
  useEffect(() => {
    if (isSignedIn.value !== false) return;
    me.value = undefined;
    rememberNext(url);
    route(addressOf('/sign-in'), true);
  }, [isSignedIn.value]);
  if (failure.value) return <Trouble error={failure.value.error} again={read} />;
  return me.value === undefined ? <Loading /> : <>{children}</>;
}
