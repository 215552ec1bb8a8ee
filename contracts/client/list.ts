/** A page of a list. `nextCursor` is the `cursor` of the next page, also in a later process; null on the last page. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

/** A page in the service's form. */
export interface SentPage {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** A list whose pages are fetched on iteration: `for await (const item of list)`. */
export class List<Item, Beside = unknown> implements AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => PromiseLike<SentPage>;
  readonly #accept: (item: unknown) => Item | undefined;

  /** `accept` maps an item, or returns undefined to skip it. */
  constructor(
    fetchPage: (cursor: string | undefined) => PromiseLike<SentPage>,
    accept: (item: unknown) => Item | undefined = (item) => item as Item,
  ) {
    this.#fetchPage = fetchPage;
    this.#accept = accept;
  }

  /** Iterates over pages, with the fields that a page has beside its items. */
  async *byPage(): AsyncGenerator<Page<Item> & Beside, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const { data, has_more: hasMore, next_cursor: next, ...beside } = await this.#fetchPage(cursor);
      const items = data.map((item) => this.#accept(item)).filter((item) => item !== undefined);
      yield { data: items, nextCursor: next || null, ...beside } as Page<Item> & Beside;
      // Guards against an endless loop: `has_more` without a new cursor.
      if (!hasMore || !next || next === cursor) return;
      cursor = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.byPage()) yield* page.data;
  }

  /** The same list with mapped items, without undefined ones. */
  map<R>(change: (item: Item) => R | undefined): List<R, Beside> {
    return new List<R, Beside>(this.#fetchPage, (item) => {
      const own = this.#accept(item);
      return own === undefined ? undefined : change(own);
    });
  }
}
