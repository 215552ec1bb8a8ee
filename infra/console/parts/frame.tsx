import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { teamOwners } from '../../../contracts/client/index.ts';
import { actFor, connection, hasKey, leave, owner } from '../service.ts';
import { words } from '../strings.ts';
import { Ask } from './ask.tsx';
import { followFeed } from './feed.ts';
import { KeyHelp } from './key-help.tsx';
import { Palette } from './palette.tsx';
import { addressOf, places } from './places.ts';
import { me } from './signed-in.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

/** What stands around every page. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    // A reader of the screen hears the new page; the first one is read as every page is.
    if (before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header>
        <a class="name" href={addressOf('/')}>
          {words.console}
        </a>
        {me.value !== undefined && <Account />}
      </header>
      <div class={me.value === undefined ? '' : 'beside'}>
        {me.value !== undefined && <Areas path={path} />}
        <main id="main" tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
      <Ask />
      <StepUpDialog />
    </>
  );
}

/** Of who is signed in: on whose account they act, and the ways to everywhere and out. */
function Account() {
  const id = me.value?.id;
  useEffect(() => (id === undefined ? undefined : followFeed(id)), [id]);
  return (
    <div class="account">
      {(me.value?.teams.length ?? 0) > 0 && <OwnerSwitch />}
      <Palette />
      <KeyHelp />
      <button type="button" class="quiet" onClick={() => void leave()}>
        {hasKey ? words.dropKey : words.signOut}
      </button>
    </div>
  );
}

/** Of the owners on whose teams one is, named by their addresses once these are there. */
function OwnerSwitch() {
  const owners = useSignal<Readonly<Record<string, string>>>({});
  useEffect(() => {
    emailsOfOwners().then(
      (emails) => (owners.value = emails),
      // They are named by their ids then.
      () => undefined,
    );
  }, []);
  const all = me.value?.teams.map((team) => team.owner_account_id) ?? [];
  return (
    <select
      aria-label={words.account}
      value={owner ?? ''}
      onChange={({ currentTarget }) => actFor(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      <option value="">{me.value?.email ?? words.ownAccount}</option>
      {all.map((id) => (
        <option key={id} value={id}>
          {owners.value[id] ?? id}
        </option>
      ))}
    </select>
  );
}

async function emailsOfOwners(): Promise<Readonly<Record<string, string>>> {
  const emails: Record<string, string> = {};
  for await (const { owner_account_id, email } of teamOwners(connection).list({ limit: 100 }))
    emails[owner_account_id] = email;
  return emails;
}

function Areas({ path }: { readonly path: string }) {
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = false;
  }, [path]);
  const isHere = (href: string) => (href === addressOf('/') ? path === href : path.startsWith(href));
  return (
    <nav aria-label={words.areas} class={isOpen.value ? 'open' : ''}>
      <button
        type="button"
        class="quiet menu"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {words.menu}
      </button>
      <ul>
        {places().navigation.map(({ name, href }) => (
          <li key={href}>
            <a href={href} aria-current={isHere(href) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
        <li>
          <a href="/reference" target="_self">
            {words.reference}
          </a>
        </li>
      </ul>
    </nav>
  );
}
