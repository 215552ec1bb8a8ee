import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Failed } from '../api.ts';
import { words } from '../strings.ts';

type FieldProps = Pick<InputHTMLAttributes, 'autocomplete' | 'inputMode' | 'minLength'> & {
  readonly label: string;
  readonly value: Signal<string>;
  readonly type?: 'text' | 'email' | 'password';
  readonly hint?: string;
};

/** A labelled text field. Every field of the console is required. */
export function Field({ label, value, hint, type = 'text', ...rest }: FieldProps) {
  const id = useId();
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  // Which roles an input may have depends on its type, and these types allow the same.
  const attributes = { ...rest, ...described, id, type } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        required
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FormProps {
  readonly submit: string;
  /** Rejects with `Failed`, which is shown. */
  readonly onSubmit: () => Promise<void>;
  readonly children?: ComponentChildren;
  /** Another way to send the form. */
  readonly other?: Pick<FormProps, 'onSubmit'> & { readonly label: string };
  /** What this form says of a problem, by its slug, instead of the service's own words. */
  readonly says?: Readonly<Record<string, string>>;
}

/** Sends once at a time, waits for the answer, and shows what went wrong where the reader is. */
export function Form({ submit, onSubmit, children, other, says = {} }: FormProps) {
  const failure = useSignal<Failed | undefined>(undefined);
  const isBusy = useSignal(false);
  const send = async (work: FormProps['onSubmit']) => {
    if (isBusy.value) return;
    failure.value = undefined;
    isBusy.value = true;
    try {
      await work();
    } catch (error) {
      failure.value = error instanceof Failed ? error : new Failed(undefined);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.submitter?.dataset.other === undefined || !other ? onSubmit : other.onSubmit);
      }}
    >
      {failure.value && <Trouble failure={failure.value} says={says} />}
      {children}
      <div class="buttons">
        <button type="submit" aria-busy={isBusy.value}>
          {submit}
        </button>
        {other && (
          <button type="submit" class="quiet" data-other="" aria-busy={isBusy.value}>
            {other.label}
          </button>
        )}
      </div>
    </form>
  );
}

/** What went wrong, with what support asks for. */
export function Trouble({
  failure,
  says = {},
}: {
  readonly failure: Failed;
  readonly says?: FormProps['says'];
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [failure]);
  const { problem } = failure;
  const own = Object.entries(says).find(([slug]) => failure.is(slug))?.[1];
  return (
    <div class="trouble" role="alert" tabIndex={-1} ref={box}>
      <p>{problem === undefined ? words.unknown : (own ?? problem.detail ?? problem.title)}</p>
      {problem?.errors && (
        <ul>
          {problem.errors.map(({ path, message }) => (
            <li key={path}>{`${path.replace('/body/', '')} ${message}`}</li>
          ))}
        </ul>
      )}
      {problem?.instance !== undefined && <p class="hint">{`${words.requestId} ${problem.instance}`}</p>}
    </div>
  );
}

/** A page that is a form, or what became of it. */
export function Card({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · ${words.console}`;
  }, [title]);
  return (
    <section class="card">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
