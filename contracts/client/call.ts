import type { HttpResponse } from './options.ts';

/** An answer with the values of its headers. */
export interface Answer<T> {
  readonly data: T;
  readonly requestId: string;
  /** Log position of the answer, `<commit>/<prepare>`; undefined if it has none. */
  readonly position: string | undefined;
  /** True if it is the stored answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  readonly response: HttpResponse;
}

/** A call in progress: await it for its data, or `withResponse()` for the headers as well. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  then<R = T, E = never>(
    fulfilled?: ((data: T) => R | PromiseLike<R>) | null,
    rejected?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#answer.then(({ data }) => data).then(fulfilled, rejected);
  }

  catch<E = never>(rejected?: ((error: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.then(undefined, rejected);
  }

  finally(ended?: (() => void) | null): Promise<T> {
    return this.then().finally(ended);
  }

  /** The same call with mapped data. */
  map<R>(change: (data: T) => R): Call<R> {
    return new Call(this.#answer.then((answer) => ({ ...answer, data: change(answer.data) })));
  }
}
