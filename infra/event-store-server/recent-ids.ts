/**
 * Where the events written lately are, by id: what makes an append with `any` safe to send again. Bounded, so its
 * memory does not grow with the store; the oldest are forgotten first.
 */
export class RecentIds {
  readonly #capacity: number;
  readonly #places = new Map<string, { readonly stream: string; readonly revision: number }>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  note(id: string, stream: string, revision: number): void {
    this.#places.delete(id);
    this.#places.set(id, { stream, revision });
    if (this.#places.size <= this.#capacity) return;
    for (const oldest of this.#places.keys()) {
      this.#places.delete(oldest);
      return;
    }
  }

  /** The event's revision, if it was written to this stream. */
  find(id: string, stream: string): number | undefined {
    const place = this.#places.get(id);
    return place?.stream === stream ? place.revision : undefined;
  }

  clear(): void {
    this.#places.clear();
  }
}
