import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
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

const Headed = createContext(false);

/** Whether this is part of a page that has its heading. */
export const useIsHeaded = (): boolean => useContext(Headed);

/** A narrow page with a form, or its result. */
export function Card({ title, children }: Titled) {
  useTitle(title);
  return (
    <section class="card">
      <h1>{title}</h1>
      <Headed.Provider value={true}>{children}</Headed.Provider>
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
      <Headed.Provider value={true}>{children}</Headed.Provider>
    </section>
  );
}
