import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { words } from '../strings.ts';
import { Ask } from './ask.tsx';
import { addressOf, base, places, type Place } from './places.ts';

interface FrameProps {
  /** Shown beside the console's name; the navigation appears with it. */
  readonly account: ComponentChildren;
  /** A placeholder of the same size, shown until the account is known. */
  readonly unknown?: ComponentChildren;
  /** External links at the end of the navigation. */
  readonly links?: readonly Place[];
  readonly children: ComponentChildren;
}

/** Layout around every page. */
export function Frame({ account, unknown, links = [], children }: FrameProps) {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  // The navigation has its space before the account is known, so that nothing moves later.
  const hasAreas = Boolean(account) || places().isGated(path);
  useEffect(() => {
    // Focused so that a screen reader announces the new page; it reads the first one anyway.
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
        {account || (hasAreas && unknown)}
      </header>
      <div class={hasAreas ? 'beside' : ''}>
        {hasAreas && <Areas path={path} links={links} isComing={!account} />}
        <main id="main" tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
      <Ask />
    </>
  );
}

interface AreasProps {
  readonly path: string;
  readonly links: readonly Place[];
  /** True while the navigation takes its space, but is not visible yet. */
  readonly isComing: boolean;
}

function Areas({ path, links, isComing }: AreasProps) {
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = false;
  }, [path]);
  const isHere = (href: string) => (href === addressOf('/') ? path === base : path.startsWith(href));
  return (
    <nav aria-label={words.areas} class={isComing ? 'coming' : isOpen.value ? 'open' : ''}>
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
        {links.map(({ name, href }) => (
          <li key={href}>
            <a href={href} target="_self">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
