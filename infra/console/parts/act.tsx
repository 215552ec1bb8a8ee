import { useSignal } from '@preact/signals';
import { ask, type Question } from './ask.tsx';
import { withStepUp } from './step-up.ts';
import { Trouble } from './trouble.tsx';

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
}

/** A button that makes a change: disabled while one is in progress, and done only when the answer says so. */
export function Act({ label, act, question, kind = 'quiet', says, isDisabled = false }: ActProps) {
  const isBusy = useSignal(false);
  const failure = useSignal<{ readonly error: unknown } | undefined>(undefined);
  const told = useSignal('');
  const run = async () => {
    if (isBusy.value || (question !== undefined && !(await ask(question)))) return;
    isBusy.value = true;
    failure.value = undefined;
    told.value = '';
    try {
      told.value = (await withStepUp(act)) ?? '';
    } catch (error) {
      failure.value = { error };
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <div class="act">
      <button
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
