import type { PageState } from '../../../contracts/resources/live.ts';
import type { PageMessage } from '../../../contracts/resources/room.ts';
import type { Hands } from '../node/driver.ts';

/** Milliseconds between two checks, and until the check after an input. */
const [eachMs, soonMs] = [500, 60];

export interface Watched {
  readonly hands: Pick<Hands, 'keyboard'>;
  readonly pageState: () => Promise<PageState>;
}

/** Checks the page while people are in the room, and sends changes. An unresponsive page counts as unchanged. */
export class PageWatch {
  /** The last message that was sent. */
  last: PageMessage | undefined;
  readonly #page: Watched;
  readonly #tell: (message: PageMessage) => void;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(page: Watched, tell: (message: PageMessage) => void) {
    this.#page = page;
    this.#tell = tell;
    this.#again(0);
  }

  /** Checks soon, after an input that may have changed the page. */
  soon(): void {
    if (!this.#isLooking) this.#again(soonMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #again(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#lookOnce(), ms).unref();
  }

  async #lookOnce(): Promise<void> {
    this.#isLooking = true;
    try {
      const seen = await this.#look();
      if (this.#isClosed || JSON.stringify(seen) === JSON.stringify(this.last)) return;
      this.last = seen;
      this.#tell(seen);
    } catch {
      // The page did not answer: the next check may succeed.
    } finally {
      this.#isLooking = false;
      this.#again(eachMs);
    }
  }

  async #look(): Promise<PageMessage> {
    const { state, url, title } = await this.#page.pageState();
    // A frozen or loading page is not queried.
    const keyboard = state === 'loaded' ? await this.#page.hands.keyboard() : null;
    return { state, url: url ?? '', title: title ?? '', keyboard };
  }
}
