/** Milliseconds after the last answer until a browser counts as idle: what an operation has begun in the page goes on for a while. */
const lingerMs = 1_000;

/** The part of its share of the processors that an idle browser has while callers wait for others. */
const partWhileIdle = 1 / 20;

/** Whether a caller waits for a browser: while any work on it is under way, and for `lingerMs` after it. */
export interface Attention {
  during<Done>(work: () => Promise<Done>): Promise<Done>;
  close(): void;
}

export type Attend = (weigh: (part: number) => void) => Attention;

interface Attended {
  /** Sets the part of its share of the processors, up to 1. */
  readonly weigh: (part: number) => void;
  isAwaited: boolean;
  part: number;
}

/**
 * Weighs the browsers of a node by whether callers wait for them: those that are idle yield while any other is awaited, and have
 * their whole share otherwise. Gives what follows one browser, which begins as idle.
 */
export function shareAttention(): Attend {
  const browsers = new Set<Attended>();
  const share = () => {
    const isAnyAwaited = [...browsers].some(({ isAwaited }) => isAwaited);
    for (const browser of browsers) {
      const part = browser.isAwaited || !isAnyAwaited ? 1 : partWhileIdle;
      if (part !== browser.part) browser.weigh(part);
      browser.part = part;
    }
  };
  return (weigh) => {
    const browser: Attended = { weigh, isAwaited: false, part: 1 };
    browsers.add(browser);
    let works = 0;
    let timer: NodeJS.Timeout | undefined;
    const become = (isAwaited: boolean) => {
      if (browser.isAwaited === isAwaited) return;
      browser.isAwaited = isAwaited;
      share();
    };
    const settled = () => {
      works -= 1;
      if (works === 0) timer = setTimeout(become, lingerMs, false).unref();
    };
    return {
      during: (work) => {
        works += 1;
        clearTimeout(timer);
        become(true);
        return work().finally(settled);
      },
      close: () => {
        clearTimeout(timer);
        browsers.delete(browser);
        share();
      },
    };
  };
}
