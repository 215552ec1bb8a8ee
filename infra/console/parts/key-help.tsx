import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { words } from '../strings.ts';
import { Dialog } from './dialog.tsx';
import { isInUse, keysInUse, setCharacters, useKeys, usesCharacters } from './keys.ts';

const textOf = (key: string, withCtrl = false): string => (withCtrl ? `Ctrl+${key.toUpperCase()}` : key);

/** The later of two handlers of the same key is the effective one. */
const inForce = () => [
  ...new Map(keysInUse.value.filter(isInUse).map((each) => [textOf(each.key, each.withCtrl), each])).values(),
];

/** List of the page's keyboard shortcuts, opened by `?` or its button. */
export function KeyHelp() {
  const isOpen = useSignal(false);
  const open = () => (isOpen.value = true);
  useKeys(useMemo(() => [{ key: '?', says: words.keyHelp, run: open }], []));
  return (
    <>
      <button type="button" class="quiet" onClick={open}>
        {words.keys}
      </button>
      {isOpen.value && (
        <Dialog title={words.keys} onClose={() => (isOpen.value = false)}>
          <dl class="keys">
            {inForce().map(({ key, withCtrl, says }) => (
              <div key={says}>
                <dt>
                  <kbd>{textOf(key, withCtrl)}</kbd>
                </dt>
                <dd>{says}</dd>
              </div>
            ))}
          </dl>
          <div class="buttons">
            <button type="button" class="quiet" onClick={() => setCharacters(!usesCharacters.value)}>
              {usesCharacters.value ? words.keysOff : words.keysOn}
            </button>
            <button type="button" class="quiet" onClick={() => (isOpen.value = false)}>
              {words.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
