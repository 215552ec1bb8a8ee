/** Content that records whether it failed itself, as opposed to its consumer. */
export class TrackedSource<T> implements AsyncIterable<T> {
  failure: { readonly error: unknown } | undefined;
  // oxlint-disable-next-line no-unused-private-class-members -- `yield*` uses it, which the rule does not see
  readonly #content: AsyncIterable<T>;

  constructor(content: AsyncIterable<T>) {
    this.#content = content;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      yield* this.#content;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}
