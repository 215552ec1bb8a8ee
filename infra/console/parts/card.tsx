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

/** A narrow page with a form, or its result. */
export function Card({ title, children }: Titled) {
  useTitle(title);
  return (
    <section class="card">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** A full-width page with its actions beside the heading. */
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
