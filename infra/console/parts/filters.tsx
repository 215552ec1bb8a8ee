import { useSignal } from '@preact/signals';
import type { InputHTMLAttributes } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { words } from '../strings.ts';
import { useKeys } from './keys.ts';

/** A filter of a list, kept in the query by its name. */
export interface Filter<Item> {
  readonly name: string;
  readonly label: string;
  /** Labels of the choices by value; a text field without them. */
  readonly options?: Readonly<Record<string, string>>;
  readonly type?: 'text' | 'date';
  /** Client-side filter, if the service has none; otherwise it is a query parameter. */
  readonly fits?: (item: Item, value: string) => boolean;
}

export type Values = Readonly<Record<string, string>>;

/** The filter values in the address. */
export function useValues(filters: readonly { readonly name: string }[]): Values {
  const { query } = useLocation();
  return Object.fromEntries(
    filters.flatMap(({ name }) =>
      query[name] === undefined || query[name] === '' ? [] : [[name, query[name]]],
    ),
  );
}

/** Returns a function that sets filter values in the address; without values all are cleared. */
export function useSetValues(): (values: Values) => void {
  const { path, route } = useLocation();
  return (values) => {
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
    const { state } = history as { state: unknown };
    route(query === '' ? path : `${path}?${query}`, true);
    // The router has dropped the state, although this is still the same entry.
    history.replaceState(state, '');
  };
}

interface FiltersProps<Item> {
  readonly filters: readonly Filter<Item>[];
  readonly values: Values;
}

/** The fields of a list's filters; `/` focuses the first one. */
export function Filters<Item>({ filters, values }: FiltersProps<Item>) {
  const set = useSetValues();
  const form = useRef<HTMLFormElement>(null);
  const focus = () => form.current?.querySelector<HTMLElement>('input, select')?.focus();
  useKeys(useMemo(() => [{ key: '/', says: words.keyFilter, run: focus }], []));
  return (
    <form ref={form} class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) => (
        <label key={filter.name}>
          <span>{filter.label}</span>
          <Control
            filter={filter}
            value={values[filter.name] ?? ''}
            onValue={(value) => set({ ...values, [filter.name]: value })}
          />
        </label>
      ))}
    </form>
  );
}

interface ControlProps<Item> {
  readonly filter: Filter<Item>;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Control<Item>({ filter: { options, type = 'text', fits }, value, onValue }: ControlProps<Item>) {
  const changed = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onValue(currentTarget.value);
  if (options === undefined)
    return <Typed type={type} value={value} isAtOnce={fits !== undefined} onValue={onValue} />;
  return (
    <select value={value} onChange={changed}>
      <option value="">{words.all}</option>
      {Object.entries(options).map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface TypedProps {
  readonly type: 'text' | 'date';
  readonly value: string;
  /**
   * True for client-side filters, which apply at each letter. The service's own filters apply once the text is
   * complete.
   */
  readonly isAtOnce: boolean;
  readonly onValue: (value: string) => void;
}

/** A text field. It keeps the typed text until it is applied, even if the list is refreshed. */
function Typed({ type, value, isAtOnce, onValue }: TypedProps) {
  const draft = useSignal(value);
  useEffect(() => {
    draft.value = value;
  }, [value]);
  const typed = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
    draft.value = currentTarget.value;
    if (isAtOnce) onValue(draft.value);
  };
  const attributes = { type, value: draft.value, onInput: typed, onChange: () => onValue(draft.value) };
  return <input {...(attributes as InputHTMLAttributes)} />;
}
