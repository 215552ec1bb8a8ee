import { Readable } from 'node:stream';
import { BlobStoreFailed } from './types.ts';

/** Content being stored. Distinguishes its own errors from the store's, and ends when it is aborted, even if its source hangs. */
export class Incoming {
  readonly body: Readable;
  readonly #signal: AbortSignal | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(content: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined, readAheadBytes: number) {
    this.#signal = signal;
    this.body = Readable.from(this.#chunksOf(content), { objectMode: false, highWaterMark: readAheadBytes });
  }

  async *#chunksOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const chunks = content[Symbol.asyncIterator]();
    const waiting = interruptible(this.#signal);
    const next = () =>
      waiting.for(chunks.next()).catch((error: unknown) => {
        this.#failure = { error };
        throw error;
      });
    try {
      for (let chunk = await next(); chunk.done !== true; chunk = await next()) yield chunk.value;
    } finally {
      waiting.end();
      // Hanging content ends only at its next chunk, so its end is not awaited.
      chunks.return?.().catch(() => undefined);
    }
  }

  /** Why it was not stored: the content's own error, the signal's reason, or else the store's error. */
  explain(error: unknown, store: string): unknown {
    if (this.#failure) return this.#failure.error;
    return this.#signal?.aborted ? this.#signal.reason : storeFailed(store, error);
  }
}

/** Awaits one promise after the other; rejects at once when the signal is aborted. */
function interruptible(signal: AbortSignal | undefined) {
  // Racing every promise with one long-lived promise would retain all their results.
  let interrupt: (reason: unknown) => void = () => undefined;
  const abort = () => interrupt(signal?.reason);
  signal?.addEventListener('abort', abort);
  return {
    for: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        interrupt = reject;
        work.then(resolve, reject);
        if (signal?.aborted) abort();
      }),
    end: () => signal?.removeEventListener('abort', abort),
  };
}

export const storeFailed = (store: string, cause: unknown): BlobStoreFailed => {
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new BlobStoreFailed(`${store} failed: ${why}${statusOf(cause)}`, { cause });
};

/** The status of the HTTP answer behind an error of the AWS SDK; an answer of a proxy has no other name. */
function statusOf(cause: unknown): string {
  if (!(cause instanceof Error && '$metadata' in cause)) return '';
  const { httpStatusCode } = cause.$metadata as { readonly httpStatusCode?: number };
  return httpStatusCode === undefined ? '' : ` (HTTP ${httpStatusCode})`;
}
