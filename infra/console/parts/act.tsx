import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { ask, type Question } from './ask.tsx';
import { useChange } from './change.ts';
import { useKeys, type Key } from './keys.ts';
import { Trouble } from './trouble.tsx';

type Shortcut = Pick<Key, 'key' | 'says'>;

interface ActProps {
  /** The button's text. */
  readonly label: string;
  /** Makes one change; resolves to the message to show, if any. A rejection is shown. */
  readonly act: () => Promise<string | void>;
  /** Confirmation to ask for first. */
  readonly question?: Question;
  readonly kind?: 'main' | 'quiet' | 'danger';
  readonly says?: Readonly<Record<string, string>>;
  readonly isDisabled?: boolean;
  /** Key that presses the button. */
  readonly shortcut?: Shortcut;
}

/** A button that makes a change: disabled while one is in progress, and done only when the answer says so. */
export function Act({ label, act, question, kind = 'quiet', says, isDisabled = false, shortcut }: ActProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { isBusy, failure, make } = useChange();
  const told = useSignal('');
  const run = async () => {
    if (isBusy.value || (question !== undefined && !(await ask(question)))) return;
    await make(async () => {
      told.value = '';
      told.value = (await act()) ?? '';
    });
  };
  return (
    <div class="act">
      {shortcut && <Pressed by={shortcut} press={() => button.current?.click()} />}
      <button
        ref={button}
        type="button"
        class={kind}
        aria-busy={isBusy.value}
        disabled={isDisabled}
        onClick={() => void run()}
      >
        {label}
      </button>
      <span role="status">{told.value}</span>
      {failure.value && <Trouble error={failure.value.error} says={says} takesFocus />}
    </div>
  );
}

interface PressedProps {
  readonly by: Shortcut;
  readonly press: () => void;
}

/** Registers the key of a button. */
function Pressed({ by: { key, says }, press }: PressedProps) {
  useKeys(useMemo(() => [{ key, says, run: press }], [key, says]));
  return null;
}
