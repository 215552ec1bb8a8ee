/** The resources opened by a connection, ended with it. */
export class Opened {
  readonly #ends = new Map<string, () => PromiseLike<unknown>>();
  readonly #opening = new Set<Promise<unknown>>();

  /** `end`: null for a resource that outlives the connection. One that is being opened is awaited at the end. */
  async opening<T extends { readonly id: string }>(
    open: PromiseLike<T>,
    end: ((id: string) => PromiseLike<unknown>) | null,
  ): Promise<T> {
    const opened = Promise.resolve(open);
    const done = opened.then(
      ({ id }) => {
        if (end !== null) this.#ends.set(id, () => end(id));
      },
      () => undefined,
    );
    this.#opening.add(done);
    await done;
    this.#opening.delete(done);
    return opened;
  }

  closed(id: string): void {
    this.#ends.delete(id);
  }

  /** Ends them all, including those that are being opened. */
  async end(): Promise<void> {
    await Promise.all(this.#opening);
    await Promise.allSettled([...this.#ends.values()].map((end) => end()));
    this.#ends.clear();
  }
}
