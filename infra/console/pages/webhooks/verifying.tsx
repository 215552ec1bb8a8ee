import { useSignal } from '@preact/signals';
import { Copy } from '../../parts/copy.tsx';
import { examples, words } from './strings.ts';

/** Code that checks the signature of a delivery, in five languages. */
export function Verifying() {
  const chosen = useSignal<keyof typeof examples>('Node');
  return (
    <details>
      <summary>{words.verify}</summary>
      <div class="buttons" role="group" aria-label={words.language}>
        {Object.keys(examples).map((language) => (
          <button
            key={language}
            type="button"
            class="small quiet"
            aria-pressed={chosen.value === language}
            onClick={() => (chosen.value = language as keyof typeof examples)}
          >
            {language}
          </button>
        ))}
        <Copy text={examples[chosen.value]} />
      </div>
      <pre tabIndex={0}>{examples[chosen.value]}</pre>
    </details>
  );
}
