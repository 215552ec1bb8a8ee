/** Rejects with the signal's reason as soon as it aborts. The promise is not cancelled; its result is ignored. */
export const unlessAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/**
 * Does the work with a signal that is aborted with a `TimeoutError` after the milliseconds. Unlike that of `AbortSignal.timeout`, the timer
 * ends with the work.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const abort = () => late.abort(new DOMException(`It took longer than ${ms} ms.`, 'TimeoutError'));
  const timer = setTimeout(abort, ms).unref();
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Rejects with the error made by `late` if `work` has not settled within the milliseconds. The promise is not cancelled; its
 * result is ignored.
 */
export const within = <T>(
  ms: number,
  work: Promise<T>,
  late = (): Error => new Error(`It took longer than ${ms} ms.`),
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
