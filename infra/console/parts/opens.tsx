import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';

interface OpensProps {
  /** What the button says. */
  readonly label: string;
  /** That of the dialog; by default what the button says. */
  readonly title?: string;
  readonly kind?: 'main' | 'quiet';
  /** What is in the dialog, given what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function Opens({ label, title = label, kind = 'quiet', children }: OpensProps) {
  const isOpen = useSignal(false);
  const close = () => (isOpen.value = false);
  return (
    <>
      <button type="button" class={kind} onClick={() => (isOpen.value = true)}>
        {label}
      </button>
      {isOpen.value && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
