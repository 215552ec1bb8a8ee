import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { words } from '../strings.ts';
import { Dialog } from './dialog.tsx';
import { hasDraftIn } from './drafts.tsx';

interface OpensProps {
  /** Text of the button. */
  readonly label: string;
  /** Title of the dialog; by default the button's text. */
  readonly title?: string;
  readonly kind?: 'main' | 'quiet';
  /** Renders the dialog's content; gets a function that closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. The dialog is open at once if it has a draft. */
export function Opens({ label, title = label, kind = 'quiet', children }: OpensProps) {
  const isOpen = useSignal(useMemo(() => hasDraftIn(title), []));
  const close = () => (isOpen.value = false);
  return (
    <>
      <button type="button" class={kind} onClick={() => (isOpen.value = true)}>
        {label}
      </button>
      {isOpen.value && (
        <Dialog title={title} onClose={close}>
          {children(close)}
          <button type="button" class="quiet" onClick={close}>
            {words.close}
          </button>
        </Dialog>
      )}
    </>
  );
}
