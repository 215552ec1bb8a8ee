import type { Signal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { useChange } from './change.ts';
import { Drafted, useDraft } from './drafts.tsx';
import { Trouble } from './trouble.tsx';

interface Labelled {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: string | undefined;
}

type FieldProps = Labelled &
  Pick<InputHTMLAttributes, 'autocomplete' | 'inputMode' | 'minLength' | 'maxLength'> & {
    readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date';
    readonly isOptional?: boolean;
  };

/** Keeps the typed text as a draft when the session ends, unless it is secret. */
const useKept = <T,>(label: string, value: Signal<T>, isSecret = false): void =>
  useDraft(
    label,
    isSecret ? undefined : { read: () => value.value, write: (kept) => (value.value = kept as T) },
  );

const useIds = (hint: string | undefined) => {
  const id = useId();
  return { id, described: hint === undefined ? {} : { 'aria-describedby': `${id}-hint` } };
};

function Around({
  id,
  label,
  hint,
  children,
}: Omit<Labelled, 'value'> & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A labelled text field. */
export function Field({ label, value, hint, isOptional = false, type = 'text', ...rest }: FieldProps) {
  const { id, described } = useIds(hint);
  useKept(label, value, type === 'password' || rest.autocomplete === 'one-time-code');
  // The roles that an input may have depend on its type; these types allow the same ones.
  const attributes = { ...rest, ...described, id, type } as InputHTMLAttributes;
  return (
    <Around id={id} label={label} hint={hint}>
      <input
        {...attributes}
        required={!isOptional}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </Around>
  );
}

type TextAreaProps = Labelled & {
  readonly rows?: number;
  /** True if the text must not be stored. */
  readonly isSecret?: boolean;
};

/** A labelled text of several lines. */
export function TextArea({ label, value, hint, rows = 4, isSecret = false }: TextAreaProps) {
  const { id, described } = useIds(hint);
  useKept(label, value, isSecret);
  return (
    <Around id={id} label={label} hint={hint}>
      <textarea
        {...described}
        id={id}
        rows={rows}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </Around>
  );
}

type ChoiceProps = Labelled & {
  /** Labels of the choices by value. */
  readonly options: Readonly<Record<string, string>>;
};

export function Choice({ label, value, hint, options }: ChoiceProps) {
  const { id, described } = useIds(hint);
  useKept(label, value);
  return (
    <Around id={id} label={label} hint={hint}>
      <select
        {...described}
        id={id}
        value={value.value}
        onChange={(event) => (value.value = event.currentTarget.value)}
      >
        {Object.entries(options).map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </Around>
  );
}

interface ChecksProps extends Omit<Labelled, 'value'> {
  readonly value: Signal<readonly string[]>;
  /** Labels of the choices by value. */
  readonly options: Readonly<Record<string, string>>;
}

/** Checkboxes. */
export function Checks({ label, value, hint, options }: ChecksProps) {
  const { id, described } = useIds(hint);
  useKept(label, value);
  const set = (each: string, isChosen: boolean) =>
    (value.value = Object.keys(options).filter((one) =>
      one === each ? isChosen : value.value.includes(one),
    ));
  return (
    <fieldset {...described} class="checks">
      <legend>{label}</legend>
      {Object.entries(options).map(([each, name]) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={value.value.includes(each)}
            onChange={(event) => set(each, event.currentTarget.checked)}
          />
          <span>{name}</span>
        </label>
      ))}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

interface FormProps {
  readonly submit: string;
  /** Makes one change. A rejection is shown. */
  readonly onSubmit: () => Promise<void>;
  readonly children?: ComponentChildren;
  /** A second submit button. */
  readonly other?: Pick<FormProps, 'onSubmit'> & { readonly label: string };
  /** Messages of this form by problem slug, instead of the service's own. */
  readonly says?: Readonly<Record<string, string>>;
}

/**
 * Submits once at a time, waits for the answer, and shows errors in place. Typed text survives the end of the session.
 */
export function Form({ submit, onSubmit, children, other, says }: FormProps) {
  const { isBusy, failure, make } = useChange();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void make(event.submitter?.dataset.other === undefined || !other ? onSubmit : other.onSubmit);
      }}
    >
      {failure.value && <Trouble error={failure.value.error} says={says} takesFocus />}
      <Drafted form={submit}>{children}</Drafted>
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
