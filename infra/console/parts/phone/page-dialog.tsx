import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { HeldDialog } from '../../../../contracts/resources/room.ts';
import { filled } from '../../strings.ts';
import { answerTo, askedBy } from './page-dialogs.ts';
import type { Phone } from './phone.ts';
import { words } from './strings.ts';

/**
 * The dialog that the page has opened, for the person in control to answer. It is not modal: a page may open one after another, and the
 * controls can still be given back.
 */
export function PageDialog({ phone }: { readonly phone: Phone }) {
  const dialog = phone.page.value?.dialog;
  if (!dialog || !phone.isLive.value) return null;
  return phone.drives.value ? <Asked key={dialog.id} phone={phone} dialog={dialog} /> : <Shown {...dialog} />;
}

/** The dialog for people who watch. */
const Shown = (dialog: HeldDialog) => (
  <section class="page-dialog" role="status">
    <h3>{askedBy(dialog)}</h3>
    <p dir="auto">{dialog.message}</p>
    <p class="hint">{words.dialog.watched}</p>
  </section>
);

interface AskedProps {
  readonly phone: Phone;
  readonly dialog: HeldDialog;
}

function Asked({ phone, dialog }: AskedProps) {
  const id = useId();
  const text = useSignal(dialog.default_text ?? '');
  const isSent = useSignal(false);
  const box = useFocus();
  const answer = (accept: boolean) => {
    if (isSent.value) return;
    isSent.value = true;
    phone.send(answerTo(dialog, accept, text.value), () => (isSent.value = false));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    answer(false);
  };
  return (
    <section
      ref={box}
      class="page-dialog"
      role="alertdialog"
      aria-labelledby={`${id}-by`}
      aria-describedby={`${id}-text`}
      onKeyDown={onKeyDown}
    >
      <h3 id={`${id}-by`}>{askedBy(dialog)}</h3>
      <p id={`${id}-text`} dir="auto" tabIndex={0}>
        {dialog.message}
      </p>
      <Answer type={dialog.type} text={text} answer={answer} />
      <p class="hint">{filled(words.dialog.limit, { seconds: dialog.answer_ms / 1_000 })}</p>
    </section>
  );
}

/** Maximal characters of an answer. */
const MOST = 10_000;

interface AnswerProps {
  readonly type: HeldDialog['type'];
  readonly text: { value: string };
  readonly answer: (accept: boolean) => void;
}

function Answer({ type, text, answer }: AnswerProps) {
  const id = useId();
  const { dialog } = words;
  const submit = (event: Event) => {
    event.preventDefault();
    answer(true);
  };
  return (
    <form onSubmit={submit}>
      {type === 'prompt' && (
        <div class="field">
          <label for={id}>{dialog.text}</label>
          <input
            id={id}
            maxLength={MOST}
            autocomplete="off"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </div>
      )}
      <div class="buttons">
        <button type="submit" class="main">
          {type === 'beforeunload' ? dialog.leave : dialog.ok}
        </button>
        {type !== 'alert' && (
          <button type="button" class="quiet" onClick={() => answer(false)}>
            {type === 'beforeunload' ? dialog.stay : dialog.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

/**
 * Focuses the first field or button when it appears, unless the person is elsewhere in the console. The phone has the focus again
 * afterwards.
 */
function useFocus() {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = box.current;
    if (document.activeElement?.matches('body, .screen *') !== false)
      own?.querySelector<HTMLElement>('input, button')?.focus();
    return () => {
      if (own?.contains(document.activeElement))
        document.querySelector<HTMLElement>('.screen textarea')?.focus({ preventScroll: true });
    };
  }, []);
  return box;
}
