import { signal } from '@preact/signals';
import type { List, Page } from '../../../contracts/client/index.ts';

/** What a page of a list is asked with. */
export interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface RowsOptions<Item> {
  readonly read: (asked: Asked) => List<Item>;
  readonly keyOf: (item: Item) => string;
}

const LIMIT = 50;
/** What a filter of the console's own looks through at once, pages and rows that fit. */
const MOST_PAGES = 10;
const ENOUGH = 25;

/** The rows of a keyset list, newest first, as they have been read so far; and what has come at its top since. */
export class Rows<Item> {
  readonly items = signal<readonly Item[]>([]);
  /** Rows that came since, and are not shown before the reader wants it. */
  readonly fresh = signal<readonly Item[]>([]);
  readonly isBusy = signal(false);
  readonly failure = signal<{ readonly error: unknown } | undefined>(undefined);
  /** Since when nothing has answered, milliseconds since the epoch. */
  readonly staleSince = signal<number | undefined>(undefined);
  /** Where the next page begins; null after the last, undefined before the first. */
  readonly next = signal<string | null | undefined>(undefined);
  #isLooking = false;
  #lookedAt = Date.now();
  readonly #options: RowsOptions<Item>;

  constructor(options: RowsOptions<Item>) {
    this.#options = options;
  }

  /** Reads further pages, until enough rows that fit have come. Never rejects: `failure` says why it ended. */
  async more(fits: (item: Item) => boolean = () => true): Promise<void> {
    if (this.isBusy.value || this.next.value === null) return;
    this.isBusy.value = true;
    this.failure.value = undefined;
    try {
      for (let pages = 0, found = 0; pages < MOST_PAGES && found < ENOUGH; pages += 1) {
        const { data, nextCursor } = await this.#readNext();
        if (nextCursor === null) break;
        found += data.filter(fits).length;
      }
    } catch (error) {
      this.failure.value = { error };
    } finally {
      this.isBusy.value = false;
    }
  }

  async #readNext(): Promise<Page<Item>> {
    const page = await this.#page(this.next.value ?? undefined);
    const known = this.#byKey(this.items.value);
    const added = page.data.filter((item) => !known.has(this.#options.keyOf(item)));
    this.items.value = [...this.items.value, ...added];
    this.next.value = page.nextCursor;
    this.#lookedAt = Date.now();
    return page;
  }

  async #page(cursor?: string): Promise<Page<Item>> {
    const pages = this.#options.read({ limit: LIMIT, cursor }).byPage();
    const { value } = await pages.next();
    await pages.return();
    return value ?? { data: [], nextCursor: null };
  }

  readonly #byKey = (items: readonly Item[]): ReadonlyMap<string, Item> =>
    new Map(items.map((item) => [this.#options.keyOf(item), item]));

  /** Looks whether the top of the list has changed: rows change where they are, go where they are gone, and new ones wait. */
  async look(): Promise<void> {
    if (this.#isLooking || this.isBusy.value || this.next.value === undefined) return;
    this.#isLooking = true;
    try {
      const { data, nextCursor } = await this.#page();
      this.#merge(data, nextCursor === null);
      this.staleSince.value = undefined;
      this.#lookedAt = Date.now();
    } catch {
      // What is shown stays, and is said to be old.
      this.staleSince.value = this.#lookedAt;
    } finally {
      this.#isLooking = false;
    }
  }

  #merge(top: readonly Item[], isWhole: boolean): void {
    const { keyOf } = this.#options;
    const [now, known] = [this.#byKey(top), this.#byKey(this.items.value)];
    const reach = isWhole
      ? this.items.value.length
      : this.items.value.findLastIndex((item) => now.has(keyOf(item)));
    const kept = this.items.value.filter((item, index) => index > reach || now.has(keyOf(item)));
    this.items.value = kept.map((item) => sameOr(item, now.get(keyOf(item))));
    this.fresh.value = top.filter((item) => !known.has(keyOf(item)));
  }

  /** Shows the rows that have come. Where more came than a page, the list begins anew. */
  async showFresh(): Promise<void> {
    const fresh = this.fresh.value;
    this.fresh.value = [];
    if (fresh.length < LIMIT) {
      this.items.value = [...fresh, ...this.items.value];
      return;
    }
    this.items.value = [];
    this.next.value = undefined;
    await this.more();
  }
}

/** The item that is shown, where the one that was read is the same: a row that has not changed is not drawn again. */
const sameOr = <Item>(shown: Item, read: Item | undefined): Item =>
  read === undefined || JSON.stringify(shown) === JSON.stringify(read) ? shown : read;
