import { signal } from '@preact/signals';
import type { List, Page } from '../../../contracts/client/index.ts';
import { isGone } from './trouble.tsx';

/** Parameters of a page of a list. */
export interface Asked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface RowsOptions<Item> {
  readonly read: (asked: Asked) => List<Item>;
  readonly keyOf: (item: Item) => string;
}

const LIMIT = 50;
/** Limits of one search by a client-side filter: pages read, and matching rows. */
const MOST_PAGES = 10;
const ENOUGH = 25;

/** The rows of a keyset list that have been read, newest first, and new ones at its top. */
export class Rows<Item> {
  readonly items = signal<readonly Item[]>([]);
  /** New rows, which are shown on demand. */
  readonly fresh = signal<readonly Item[]>([]);
  readonly isBusy = signal(false);
  readonly failure = signal<{ readonly error: unknown } | undefined>(undefined);
  /** Since when reads have failed, in milliseconds since the epoch. */
  readonly staleSince = signal<number | undefined>(undefined);
  /** Cursor of the next page; null after the last, undefined before the first. */
  readonly next = signal<string | null | undefined>(undefined);
  #isLooking = false;
  #lookedAt = Date.now();
  readonly #options: RowsOptions<Item>;

  constructor(options: RowsOptions<Item>) {
    this.#options = options;
  }

  /** Reads further pages until enough rows match. Never rejects: `failure` has the error. */
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

  /** Refreshes the top of the list: changed rows are updated in place, removed ones disappear, and new ones wait. */
  async look(): Promise<void> {
    if (this.#isLooking || this.isBusy.value || this.next.value === undefined) return;
    this.#isLooking = true;
    try {
      const { data, nextCursor } = await this.#page();
      this.#merge(data, nextCursor === null);
      this.staleSince.value = undefined;
      this.#lookedAt = Date.now();
    } catch (error) {
      if (isGone(error)) this.#fail(error);
      // The shown rows stay, marked as stale.
      else this.staleSince.value = this.#lookedAt;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Shows the error instead of rows that may no longer be read. */
  #fail(error: unknown): void {
    this.items.value = [];
    this.fresh.value = [];
    this.next.value = undefined;
    this.failure.value = { error };
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

  /** Shows the new rows. If they are more than a page, the list is reloaded. */
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

/** Returns the shown item if the read one is equal, so that an unchanged row is not rendered again. */
const sameOr = <Item>(shown: Item, read: Item | undefined): Item =>
  read === undefined || JSON.stringify(shown) === JSON.stringify(read) ? shown : read;
