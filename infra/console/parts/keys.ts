import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Key {
  /** Value of `KeyboardEvent.key`. */
  readonly key: string;
  /** With Ctrl, or Command on a Mac; works in fields too. */
  readonly withCtrl?: boolean;
  /** Description in the list of keys. */
  readonly says: string;
  readonly run: () => void;
}

const CHARACTERS = 'console.keys';

/** Whether keys of one character are in use. They are triggered by accident where somebody dictates. */
export const usesCharacters = signal(localStorage.getItem(CHARACTERS) !== 'off');

export function setCharacters(areUsed: boolean): void {
  usesCharacters.value = areUsed;
  localStorage.setItem(CHARACTERS, areUsed ? 'on' : 'off');
}

export const isInUse = ({ key, withCtrl = false }: Key): boolean =>
  withCtrl || key.length > 1 || usesCharacters.value;

/** Keys of the mounted components; a later one wins. */
export const keysInUse = signal<readonly Key[]>([]);

/** Registers keys while the component is mounted. */
export function useKeys(keys: readonly Key[]): void {
  useEffect(() => {
    keysInUse.value = [...keysInUse.value, ...keys];
    return () => {
      keysInUse.value = keysInUse.value.filter((each) => !keys.includes(each));
    };
  }, [keys]);
}

const isTyped = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'));

document.addEventListener('keydown', (event) => {
  const hasCtrl = event.ctrlKey || event.metaKey;
  const isElsewhere = isTyped(event.target) || document.querySelector('dialog[open]') !== null;
  if (event.defaultPrevented || event.isComposing || event.altKey || (isElsewhere && !hasCtrl)) return;
  const found = keysInUse.value.findLast(
    (each) => each.key === event.key && (each.withCtrl ?? false) === hasCtrl && isInUse(each),
  );
  if (found === undefined) return;
  event.preventDefault();
  found.run();
});
