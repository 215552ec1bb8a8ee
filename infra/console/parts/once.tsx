import { words } from '../strings.ts';
import { Copy } from './copy.tsx';

interface OnceProps {
  readonly title: string;
  /** Shown verbatim, line by line. */
  readonly text: string;
  /** Shown beside the note that it appears only once. */
  readonly hint?: string;
  /** Name of the downloaded file. */
  readonly file: string;
  readonly onKept?: () => void;
}

/** A secret that is shown once: to be copied or saved. */
export function Once({ title, text, hint = '', file, onKept }: OnceProps) {
  const href = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
  return (
    <section class="once">
      <h2>{title}</h2>
      <p>{`${hint} ${words.onceText}`.trim()}</p>
      <pre tabIndex={0}>{text}</pre>
      <div class="buttons">
        <Copy text={text} />
        <a href={href} download={file}>
          {words.save}
        </a>
        {onKept && (
          <button type="button" class="quiet" onClick={onKept}>
            {words.onceKept}
          </button>
        )}
      </div>
    </section>
  );
}
