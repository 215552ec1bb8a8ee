/** A page of a list, and where the next one begins: pass `nextCursor` back as `cursor` to go on another day. Null after the last. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

/** A page as the service sends it. */
export interface SentPage {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** A list whose pages are fetched as it is read: `for await (const item of list)`. */
export class List<Item, Beside = unknown> implements AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => PromiseLike<SentPage>;
  readonly #accept: (item: unknown) => Item | undefined;

  /** `accept` gives an item as it is shown, or nothing for one that is passed over. */
  constructor(
    fetchPage: (cursor: string | undefined) => PromiseLike<SentPage>,
    accept: (item: unknown) => Item | undefined = (item) => item as Item,
  ) {
    this.#fetchPage = fetchPage;
    this.#accept = accept;
  }

  /** Page by page, with what a page has beside its items. */
  async *byPage(): AsyncGenerator<Page<Item> & Beside, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const { data, has_more: hasMore, next_cursor: next, ...beside } = await this.#fetchPage(cursor);
      const items = data.map((item) => this.#accept(item)).filter((item) => item !== undefined);
      yield { data: items, nextCursor: next || null, ...beside } as Page<Item> & Beside;
      // A service that says so without a new place to go on from would be asked for ever.
      if (!hasMore || !next || next === cursor) return;
      cursor = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.byPage()) yield* page.data;
  }

  /** The same list, each item changed, without those that become undefined. */
  map<R>(change: (item: Item) => R | undefined): List<R, Beside> {
    return new List<R, Beside>(this.#fetchPage, (item) => {
      const own = this.#accept(item);
      return own === undefined ? undefined : change(own);
    });
  }
}
