import { useSignal } from '@preact/signals';
import { words } from '../strings.ts';

/** Copies a text. `of`: the text's name for screen readers, if a page has many such buttons. */
export function Copy({ text, of }: { readonly text: string; readonly of?: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    isCopied.value = true;
    setTimeout(() => (isCopied.value = false), 2_000);
  };
  const name = isCopied.value ? words.copied : words.copy;
  return (
    <button
      type="button"
      class="small quiet"
      aria-label={of === undefined ? undefined : `${name} ${of}`}
      onClick={() => void copy().catch(() => undefined)}
    >
      {name}
    </button>
  );
}
