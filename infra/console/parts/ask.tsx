import { signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { filled, words } from '../strings.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './form.tsx';

/** Confirmation of an irreversible action. */
export interface Question {
  /** The action, as a question. */
  readonly title: string;
  /** The consequences. */
  readonly text: string;
  /** Text of the confirming button. */
  readonly confirm: string;
  /** Text that must be typed first, such as the name of the deleted resource. */
  readonly typed?: string;
}

const asked = signal<(Question & { readonly answer: (isConfirmed: boolean) => void }) | undefined>(undefined);

/** Asks; resolves to whether the user confirmed. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (isConfirmed) => {
        asked.value = undefined;
        resolve(isConfirmed);
      },
    };
  });

/** Renders the open question, if there is one. A navigation to another page answers it with no. */
export function Ask() {
  const { url } = useLocation();
  useEffect(() => () => asked.value?.answer(false), [url]);
  return asked.value === undefined ? null : <Asked key={asked.value.title} />;
}

function Asked() {
  const text = useSignal('');
  const id = useId();
  const question = asked.value;
  if (question === undefined) return null;
  const { title, confirm, typed, answer } = question;
  return (
    <Dialog title={title} describedBy={id} onClose={() => answer(false)}>
      <p id={id}>{question.text}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer(true);
        }}
      >
        {typed !== undefined && (
          <Field label={filled(words.typeToConfirm, { text: typed })} value={text} autocomplete="off" />
        )}
        <div class="buttons">
          {/* The first button gets the focus, so it must be harmless. */}
          <button type="button" class="quiet" onClick={() => answer(false)}>
            {words.cancel}
          </button>
          <button type="submit" class="danger" disabled={typed !== undefined && text.value !== typed}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
