import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ConnectionFailed, ServiceError, UnknownOutcome } from '../../../contracts/client/index.ts';
import { filled, words } from '../strings.ts';
import { Copy } from './copy.tsx';

interface TroubleProps {
  readonly error: unknown;
  /** Messages by problem slug, instead of the service's own. */
  readonly says?: Readonly<Record<string, string>> | undefined;
  /** Retries. */
  readonly again?: (() => void) | undefined;
  /** Whether it takes the focus, after a failed action of the user. */
  readonly takesFocus?: boolean;
  /** Whether a heading above has its title. */
  readonly isTitled?: boolean;
}

interface Said {
  readonly title: string;
  readonly detail: string;
}

/** True if the resource no longer exists, or the user may no longer read it. */
export const isGone = (error: unknown): boolean =>
  error instanceof ServiceError && [403, 404, 410].includes(error.status);

/** The title and the detail of an error. */
export function saidOf(error: unknown, says: Readonly<Record<string, string>> = {}): Said {
  if (error instanceof UnknownOutcome) return { title: words.unknownTitle, detail: words.unknown };
  if (error instanceof ConnectionFailed) return { title: words.noAnswerTitle, detail: words.noAnswer };
  if (!(error instanceof ServiceError)) return { title: words.broken, detail: String(error) };
  const title = error.status === 403 && error.is('forbidden') ? words.forbidden : error.title;
  return { title, detail: says[error.slug] ?? error.detail };
}

interface FieldError {
  readonly path: string;
  readonly message: string;
}

const fieldErrorsOf = (error: unknown): readonly FieldError[] =>
  error instanceof ServiceError && error.is('validation-failed') ? error.errors : [];

/** An error: the problem's title and detail, the errors of fields, and the ids that support needs. */
export function Trouble({ error, says = {}, again, takesFocus = false, isTitled = false }: TroubleProps) {
  const box = useRef<HTMLDivElement>(null);
  // A layout effect: moved later, the focus would leave a field in which the user has begun to type.
  useLayoutEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [error]);
  const { title, detail } = saidOf(error, says);
  return (
    <div class="trouble" role="alert" tabIndex={-1} ref={box}>
      {!isTitled && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {detail !== title && <p>{detail}</p>}
      <ul>
        {fieldErrorsOf(error).map(({ path, message }) => (
          <li key={path}>{`${path.replace('/body/', '')}: ${message}`}</li>
        ))}
      </ul>
      <Ending error={error}>
        {again && (
          <button type="button" class="quiet" onClick={again}>
            {words.tryAgain}
          </button>
        )}
      </Ending>
    </div>
  );
}

function Ending({ error, children }: { readonly error: unknown; readonly children: ComponentChildren }) {
  const { retryAfter, requestId } =
    error instanceof ServiceError ? error : { retryAfter: undefined, requestId: '' };
  return (
    <>
      {retryAfter !== undefined && <p>{filled(words.againIn, { seconds: Math.ceil(retryAfter) })}</p>}
      <div class="buttons">
        {requestId !== '' && (
          <span class="hint">
            {`${words.requestId} `}
            <code>{requestId}</code> <Copy text={requestId} />
          </span>
        )}
        {children}
      </div>
    </>
  );
}
