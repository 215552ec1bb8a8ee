import { useSignal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { words } from '../strings.ts';
import { Dialog } from './dialog.tsx';
import { useKeys } from './keys.ts';
import { placeOf, places, type Place } from './places.ts';
import { recentPlaces } from './recent.ts';

const MOST = 12;

/** Pages for a text: the resource with this id, or pages with a matching name. */
function found(text: string): readonly Place[] {
  const typed = text.trim();
  const href = placeOf(typed);
  if (href !== undefined) return [{ name: typed, href }];
  const all = [...recentPlaces(), ...places().palette];
  return all.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase())).slice(0, MOST);
}

/** Command palette, opened by its button or Ctrl+K. */
export function Palette() {
  const isOpen = useSignal(false);
  const open = () => (isOpen.value = true);
  useKeys(useMemo(() => [{ key: 'k', withCtrl: true, says: words.keyPalette, run: open }], []));
  return (
    <>
      <button type="button" class="quiet" onClick={open}>
        {words.goTo}
      </button>
      {isOpen.value && <Choices onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function Choices({ onClose }: { readonly onClose: () => void }) {
  const [text, chosen] = [useSignal(''), useSignal(0)];
  const { route } = useLocation();
  const all = found(text.value);
  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    route(place.href);
  };
  return (
    <Dialog title={words.goTo} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(all[chosen.value]);
        }}
      >
        <Search text={text} chosen={chosen} count={all.length} />
      </form>
      <div id="places" role="listbox" aria-label={words.pages} hidden={all.length === 0}>
        {all.map((place, index) => (
          <div
            key={place.href}
            id={`place-${index}`}
            role="option"
            aria-selected={index === chosen.value}
            onClick={() => go(place)}
          >
            {place.name}
          </div>
        ))}
      </div>
      {all.length === 0 && <p role="status">{words.nothingFound}</p>}
      <button type="button" class="quiet" onClick={onClose}>
        {words.close}
      </button>
    </Dialog>
  );
}

interface SearchProps {
  readonly text: Signal<string>;
  /** Index of the choice that Enter opens. */
  readonly chosen: Signal<number>;
  readonly count: number;
}

function Search({ text, chosen, count }: SearchProps) {
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    chosen.value = Math.min(Math.max(chosen.value + by, 0), count - 1);
  };
  return (
    <input
      role="combobox"
      aria-label={words.goToHint}
      aria-expanded={count > 0}
      aria-controls="places"
      aria-activedescendant={count === 0 ? undefined : `place-${chosen.value}`}
      placeholder={words.goToHint}
      autocomplete="off"
      value={text.value}
      onKeyDown={move}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value;
        chosen.value = 0;
      }}
    />
  );
}
