import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../strings.ts';

interface Titled {
  readonly title: string;
  readonly children: ComponentChildren;
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.console}`;
  }, [title]);
}

/** A page that is a form, or what became of it. */
export function Card({ title, children }: Titled) {
  useTitle(title);
  return (
    <section class="card">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** A page as wide as the window, with what can be done on all of it beside its heading. */
export function Page({ title, actions, children }: Titled & { readonly actions?: ComponentChildren }) {
  useTitle(title);
  return (
    <section class="page">
      <div class="heading">
        <h1>{title}</h1>
        <div class="buttons">{actions}</div>
      </div>
      {children}
    </section>
  );
}
