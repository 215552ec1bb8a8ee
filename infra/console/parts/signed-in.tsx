import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ServiceError, account, type Account } from '../../../contracts/client/index.ts';
import { actFor, connection, hasLeft, isSignedIn, isTermsDue, onOtherSignIn, owner } from '../service.ts';
import { words } from '../strings.ts';
import { Card } from './card.tsx';
import { forgetDrafts, keepDrafts } from './drafts.tsx';
import { forgetRows } from './kept-rows.ts';
import { Loading } from './loading.tsx';
import { rememberNext } from './next.ts';
import { addressOf } from './places.ts';
import { Failed } from './read.tsx';
import { forgetPlaces } from './recent.ts';
import { Time } from './record.tsx';
import { Terms } from './terms.tsx';

/** The signed-in account; undefined while it is unknown. */
export const me = signal<Account | undefined>(undefined);

/** True if this page was signed in, and is not any more. */
export const wasSignedOut = signal(false);

/** Whether another account has signed in, in another tab. */
const isReplaced = signal(false);

onOtherSignIn((isIn) => {
  const { value: known } = me;
  if (!isIn) isSignedIn.value = false;
  else if (known === undefined) isSignedIn.value = undefined;
  else void leaveToOther(known);
});

/** Hides the page if another account is signed in now, or if that is unknown. */
async function leaveToOther({ id }: Account): Promise<void> {
  const read = await account(connection)
    .me()
    .catch(() => undefined);
  if (read?.id !== id) [me.value, isReplaced.value] = [undefined, true];
}

/** Session storage key of the account, and of the owner acted for, whose recent pages and drafts this tab keeps. */
const WHOSE = 'console.whose';

/** Based on the newest hundred memberships, which `GET /v1/account/me` returns. */
const isForeign = ({ id, teams }: Account): boolean =>
  owner !== undefined &&
  owner !== id &&
  teams.length < 100 &&
  teams.every(({ owner_account_id }) => owner_account_id !== owner);

/** Loads the signed-in account if it is unknown; stops acting for an owner whose team the user has left. */
export async function readMe(): Promise<void> {
  const read = await account(connection).me();
  if (isForeign(read)) return actFor(undefined);
  const whose = `${read.id} ${owner ?? ''}`;
  if (sessionStorage.getItem(WHOSE) !== whose)
    for (const forget of [forgetPlaces, forgetDrafts, forgetRows]) forget();
  sessionStorage.setItem(WHOSE, whose);
  me.value = read;
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
    wasSignedOut.value = me.value !== undefined;
    if (!hasLeft()) keepDrafts();
    me.value = undefined;
    rememberNext(url);
    route(addressOf('/sign-in'), true);
  }, [isSignedIn.value]);
  if (isReplaced.value) return <Replaced />;
  if (isTermsDue.value && isSignedIn.value) return <Terms />;
  if (failure.value) return <Failed error={failure.value.error} again={read} />;
  if (me.value === undefined) return <Loading />;
  const { suspended } = me.value;
  return (
    <>
      {suspended && <Suspended {...suspended} />}
      {children}
    </>
  );
}

/** The reason, above every page: the refusals in it do not have it. */
const Suspended = ({ at, reason }: NonNullable<Account['suspended']>) => (
  <div class="trouble" role="status">
    <p>
      <strong>{words.suspended}</strong>
    </p>
    <p>
      {reason} (<Time at={at} />)
    </p>
  </div>
);

const Replaced = () => (
  <Card title={words.replacedTitle}>
    <p role="alert">{words.replaced}</p>
    <button type="button" onClick={() => location.assign(addressOf('/'))}>
      {words.home}
    </button>
  </Card>
);
