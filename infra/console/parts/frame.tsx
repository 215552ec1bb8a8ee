import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { callOpen, isSignedIn, left } from '../api.ts';
import { words } from '../strings.ts';

/** What stands around every page. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header>
        <a class="name" href="/console/">
          {words.console}
        </a>
        <nav aria-label={words.account}>{isSignedIn.value === true && <Links />}</nav>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Links() {
  const { route } = useLocation();
  const signOut = async () => {
    await callOpen('POST', '/v1/auth/logout', {}).catch(() => undefined);
    left();
    route('/console/sign-in');
  };
  return (
    <>
      <a href="/console/settings/second-factor">{words.secondFactor}</a>
      <a href="/reference" target="_self">
        {words.reference}
      </a>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        {words.signOut}
      </button>
    </>
  );
}
