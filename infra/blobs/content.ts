import { Readable } from 'node:stream';
import { BlobStoreFailed } from './types.ts';

/** Content on its way into a store. Tells its own errors from the store's, and ends when it is aborted, even where it hangs. */
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
    const aborted = abortOf(this.#signal);
    const next = () =>
      Promise.race([chunks.next(), aborted.promise]).catch((error: unknown) => {
        this.#failure = { error };
        throw error;
      });
    try {
      for (let chunk = await next(); chunk.done !== true; chunk = await next()) yield chunk.value;
    } finally {
      aborted.forget();
      // Content that hangs does not end before its next chunk: nobody waits for that.
      chunks.return?.().catch(() => undefined);
    }
  }

  /** Why it was not stored: the content's own error, the signal's reason, or else what the store did. */
  explain(error: unknown, store: string): unknown {
    if (this.#failure) return this.#failure.error;
    return this.#signal?.aborted ? this.#signal.reason : storeFailed(store, error);
  }
}

/** A promise that rejects with the signal's reason, and is not unhandled. */
function abortOf(signal: AbortSignal | undefined) {
  const { promise, reject } = deferred();
  const abort = () => reject(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return { promise, forget: () => signal?.removeEventListener('abort', abort) };
}

function deferred() {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectWith) => (reject = rejectWith));
  promise.catch(() => undefined);
  return { promise, reject };
}

export const storeFailed = (store: string, cause: unknown): BlobStoreFailed => {
  const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new BlobStoreFailed(`${store} failed: ${why}${statusOf(cause)}`, { cause });
};

/** Of the HTTP answer that the AWS SDK made the error of: what comes from a proxy in between has no other name. */
function statusOf(cause: unknown): string {
  if (!(cause instanceof Error && '$metadata' in cause)) return '';
  const { httpStatusCode } = cause.$metadata as { readonly httpStatusCode?: number };
  return httpStatusCode === undefined ? '' : ` (HTTP ${httpStatusCode})`;
}
