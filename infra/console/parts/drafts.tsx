import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo } from 'preact/hooks';

/** The texts in this tab's forms when the session ended: by form, then by the label of the field. */
type Drafts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const DRAFTS = 'console.drafts';

const read = (): Drafts => JSON.parse(sessionStorage.getItem(DRAFTS) ?? '{}') as Drafts;

function write(drafts: Drafts): void {
  try {
    sessionStorage.setItem(DRAFTS, JSON.stringify(drafts));
  } catch {
    // The storage has no room for texts of several megabytes.
  }
}

/** Must be called when another account is signed in, and at a sign-out. */
export const forgetDrafts = (): void => sessionStorage.removeItem(DRAFTS);

/** A field of a form, or another input. */
export interface Typed {
  readonly read: () => unknown;
  readonly write: (value: unknown) => void;
}

class FormDraft {
  readonly key: string;
  readonly #kept: Readonly<Record<string, unknown>>;
  readonly #fields = new Map<string, Typed & { readonly initial: unknown }>();

  constructor(key: string) {
    this.key = key;
    this.#kept = read()[key] ?? {};
  }

  /** Registers a field, and restores its draft. */
  add(label: string, field: Typed): void {
    const initial = field.read();
    this.#fields.set(label, { ...field, initial });
    const value = this.#kept[label];
    if (typeof value === typeof initial) field.write(value);
  }

  /** The values that differ from the initial ones. */
  changed(): Readonly<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const [label, { read: now, initial }] of this.#fields) if (now() !== initial) values[label] = now();
    return values;
  }
}

const mounted = new Set<FormDraft>();

/** Stores the drafts of this page's forms. Must be called when the session has ended, while the forms are shown. */
export function keepDrafts(): void {
  const typed = [...mounted].map((form) => [form.key, form.changed()] as const);
  write({ ...read(), ...Object.fromEntries(typed.filter(([, values]) => Object.keys(values).length > 0)) });
}

const Inside = createContext('');
const Around = createContext<FormDraft | undefined>(undefined);

const keyOf = (...names: readonly string[]): string => [location.pathname, ...names].join('\n');

/** True if there is a draft of a form in the dialog with this title, on this page. */
export const hasDraftIn = (dialog: string): boolean =>
  Object.keys(read()).some((key) => key.startsWith(keyOf(dialog, '')));

/** Names the dialog of the forms inside. */
export const DialogOfForms = Inside.Provider;

/** If the session ends, keeps the draft of a form until the same user has signed in again. */
export function Drafted({ form, children }: { readonly form: string; readonly children: ComponentChildren }) {
  const dialog = useContext(Inside);
  const draft = useMemo(() => new FormDraft(keyOf(dialog, form)), []);
  useEffect(() => {
    mounted.add(draft);
    write(Object.fromEntries(Object.entries(read()).filter(([key]) => key !== draft.key)));
    return () => void mounted.delete(draft);
  }, []);
  return <Around.Provider value={draft}>{children}</Around.Provider>;
}

/** Registers a field with the form around it, if there is one. Not for secrets, which must not be stored. */
export function useDraft(label: string, field: Typed | undefined): void {
  const draft = useContext(Around);
  useLayoutEffect(() => {
    if (field !== undefined) draft?.add(label, field);
  }, [draft, label]);
}
