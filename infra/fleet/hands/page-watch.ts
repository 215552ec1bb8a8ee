import type { PageState } from '../../../contracts/resources/live.ts';
import type { HeldDialog, PageMessage } from '../../../contracts/resources/room.ts';
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
  #dialog: HeldDialog | null = null;
  /** Time of the last message of `show`, in milliseconds of `performance.now()`. */
  #shownAt = -Infinity;
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

  /** Sends at once that a dialog has opened, or soon if there was another one just before; null: it was answered. */
  show(dialog: HeldDialog | null): void {
    this.#dialog = dialog;
    const now = performance.now();
    if (this.last !== undefined && now - this.#shownAt > soonMs) {
      this.#shownAt = now;
      this.#send({ ...this.last, keyboard: null, dialog });
    }
    this.soon();
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
    const dialog = this.#dialog;
    try {
      const seen = await this.#look(dialog);
      // A page whose dialog opened meanwhile did not answer.
      if (dialog === this.#dialog) this.#send(seen);
    } catch {
      // The page did not answer: the next check may succeed.
    } finally {
      this.#isLooking = false;
      this.#again(dialog === this.#dialog ? eachMs : soonMs);
    }
  }

  #send(message: PageMessage): void {
    if (this.#isClosed || JSON.stringify(message) === JSON.stringify(this.last)) return;
    this.last = message;
    this.#tell(message);
  }

  async #look(dialog: HeldDialog | null): Promise<PageMessage> {
    const { state, url, title } = await this.#page.pageState();
    // A frozen or loading page is not queried, nor one that waits for the answer to its dialog.
    const keyboard = state === 'loaded' && dialog === null ? await this.#page.hands.keyboard() : null;
    return { state, url: url ?? '', title: title ?? '', keyboard, dialog };
  }
}
