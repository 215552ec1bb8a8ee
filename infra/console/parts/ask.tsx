import { signal, useSignal } from '@preact/signals';
import { filled, words } from '../strings.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './form.tsx';

/** One clear question before what cannot be taken back. */
export interface Question {
  /** What is about to be done, as a question. */
  readonly title: string;
  /** What becomes of what. */
  readonly text: string;
  /** What the button that does it says. */
  readonly confirm: string;
  /** To be typed first, such as the name of what is deleted. */
  readonly typed?: string;
}

const asked = signal<(Question & { readonly answer: (isConfirmed: boolean) => void }) | undefined>(undefined);

/** Asks, and gives whether the reader wants it. */
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

/** Shows the question that is asked. */
export const Ask = () => (asked.value === undefined ? null : <Asked key={asked.value.title} />);

function Asked() {
  const text = useSignal('');
  const question = asked.value;
  if (question === undefined) return null;
  const { title, confirm, typed, answer } = question;
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <p>{question.text}</p>
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
          <button type="submit" class="danger" disabled={typed !== undefined && text.value !== typed}>
            {confirm}
          </button>
          <button type="button" class="quiet" onClick={() => answer(false)}>
            {words.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
