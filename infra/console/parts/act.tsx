import { useSignal } from '@preact/signals';
import { ask, type Question } from './ask.tsx';
import { withStepUp } from './step-up.ts';
import { Trouble } from './trouble.tsx';

interface ActProps {
  /** What it does. */
  readonly label: string;
  /** Makes one change, and gives what the reader is told of it, if anything. What it rejects with is shown. */
  readonly act: () => Promise<string | void>;
  /** Asked first. */
  readonly question?: Question;
  readonly kind?: 'main' | 'quiet' | 'danger';
  readonly says?: Readonly<Record<string, string>>;
  readonly isDisabled?: boolean;
}

/** A button that changes something: once at a time, and nothing is said to be done before the answer says so. */
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
