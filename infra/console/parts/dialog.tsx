import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Also called on Escape. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Modal dialog; restores the focus when it is closed. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key: what is typed right after the key that opens it must not be lost.
  useLayoutEffect(() => {
    const { activeElement } = document;
    box.current?.showModal();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
