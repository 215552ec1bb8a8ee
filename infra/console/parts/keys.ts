import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Key {
  /** As `KeyboardEvent.key` has it. */
  readonly key: string;
  /** With Ctrl, or Command on a Mac; works in fields too. */
  readonly withCtrl?: boolean;
  /** What it does, for the list of keys. */
  readonly says: string;
  readonly run: () => void;
}

/** The keys of what is shown; a later one wins. */
export const keysInUse = signal<readonly Key[]>([]);

/** Takes keys for as long as the component is there. */
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
    ({ key, withCtrl = false }) => key === event.key && withCtrl === hasCtrl,
  );
  if (found === undefined) return;
  event.preventDefault();
  found.run();
});
