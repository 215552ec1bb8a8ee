import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { DialogOfForms } from './drafts.tsx';

interface DialogProps {
  readonly title: string;
  /** Id of the text that is read out with the title. */
  readonly describedBy?: string;
  /** Also called on Escape. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Modal dialog; restores the focus when it is closed. */
export function Dialog({ title, describedBy, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect, so that text typed right after the key that opens the dialog is not lost.
  useLayoutEffect(() => {
    const [{ activeElement }, { current: dialog }] = [document, box];
    dialog?.showModal();
    return () => {
      // Closed first: while it is open, no other element can have the focus.
      dialog?.close();
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <DialogOfForms value={title}>{children}</DialogOfForms>
    </dialog>
  );
}
