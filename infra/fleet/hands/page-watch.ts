import type { PageState } from '../../../contracts/resources/live.ts';
import type { PageMessage } from '../../../contracts/resources/room.ts';
import type { Hands } from '../node/driver.ts';

/** Milliseconds between two looks, and until the one after something was done. */
const [eachMs, soonMs] = [500, 60];

export interface Watched {
  readonly hands: Pick<Hands, 'keyboard'>;
  readonly pageState: () => Promise<PageState>;
}

/** Looks at the page as long as people are with it, and tells what has changed. A page that does not answer has changed nothing. */
export class PageWatch {
  /** What was told last. */
  last: PageMessage | undefined;
  private readonly page: Watched;
  private readonly tell: (message: PageMessage) => void;
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isClosed = false;

  constructor(page: Watched, tell: (message: PageMessage) => void) {
    this.page = page;
    this.tell = tell;
    this.again(0);
  }

  /** Something was done that may have changed it. */
  soon(): void {
    if (!this.isLooking) this.again(soonMs);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private again(ms: number): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => void this.lookOnce(), ms).unref();
  }

  private async lookOnce(): Promise<void> {
    this.isLooking = true;
    try {
      const seen = await this.look();
      if (this.isClosed || JSON.stringify(seen) === JSON.stringify(this.last)) return;
      this.last = seen;
      this.tell(seen);
    } catch {
      // It does not answer: the next look may find more.
    } finally {
      this.isLooking = false;
      this.again(eachMs);
    }
  }

  private async look(): Promise<PageMessage> {
    const { state, url, title } = await this.page.pageState();
    // A page that is frozen, or on its way, is not asked.
    const keyboard = state === 'loaded' ? await this.page.hands.keyboard() : null;
    return { state, url: url ?? '', title: title ?? '', keyboard };
  }
}
