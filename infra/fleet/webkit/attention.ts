import type { ControlGroup } from './control-groups.ts';

/** Milliseconds after the last answer until a browser counts as idle: what an operation has begun in the page goes on for a while. */
const lingerMs = 1_000;

/** Milliseconds between two looks at the processor time of the browsers that callers wait for. */
const lookMs = 50;

/**
 * The share of the processors that a browser has by the milliseconds of them that the operation on it has taken: the slowest
 * hundredth of the operations on an ordinary page stays in the first row, that on a page which takes all it can get does not.
 */
const shares = [
  { belowMs: 250, share: 1 },
  { belowMs: 1_000, share: 1 / 4 },
  { belowMs: Infinity, share: 1 / 10 },
];
/** Below all of them: a start of a browser takes more than a second, and must pass pages that no caller waits for. */
const idleShare = 1 / 40;

/**
 * What all browsers of a node have together at most, where a process of the service has 1. Each operation on any of them passes
 * several of those, which need little and must not wait behind a dozen browsers that start or spin.
 */
const allShares = { whileAwaited: 1, otherwise: 2 };

/** Less is not worth telling the kernel: each operation changes the parts of all. */
const leastChange = 1 / 10;

/** Whether a caller waits for a browser: while any work on it is under way, and for `lingerMs` after it. */
export interface Attention {
  /** Runs an operation: what it takes of the processors counts from its beginning. */
  during<Done>(work: () => Promise<Done>): Promise<Done>;
  /** Runs a part of an operation; alone it is one of its own. */
  within<Done>(work: () => Promise<Done>): Promise<Done>;
  close(): void;
}

export type Attend = (group: Pick<ControlGroup, 'weigh' | 'processorMs'>) => Attention;

interface Attended {
  readonly group: Pick<ControlGroup, 'weigh' | 'processorMs'>;
  isAwaited: boolean;
  /** Processor time of its own when the last operation began, once it was looked at. */
  fromMs: number | undefined;
  share: number;
  part: number;
}

/**
 * Weighs the browsers of a node by whether callers wait for them, and by what they have taken meanwhile: those that are idle, and
 * those on which an operation goes on and on, yield to the others, and have their whole share where there are none; and all of them
 * together yield to the service. Gives what follows one browser, which begins as idle.
 */
export function shareAttention(): Attend {
  const browsers = new Set<Attended>();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    for (const browser of browsers) if (browser.isAwaited) browser.share = shareOf(browser);
    weigh(browsers);
  };
  /** Where there is only one browser, and where no caller waits, there is nothing to share. */
  const changed = () => {
    const isShared = browsers.size > 1 && [...browsers].some(({ isAwaited }) => isAwaited);
    if (!isShared) clearInterval(timer);
    timer = isShared ? (timer ?? setInterval(look, lookMs).unref()) : undefined;
    weigh(browsers);
  };
  return (group) => {
    const browser: Attended = { group, isAwaited: false, fromMs: undefined, share: idleShare, part: 1 };
    browsers.add(browser);
    changed();
    return attentionFor(browser, changed, () => {
      browsers.delete(browser);
      // It ends, and what it frees is the others'.
      if (browser.part < 1) void group.weigh(1);
      changed();
    });
  };
}

function attentionFor(browser: Attended, changed: () => void, remove: () => void): Attention {
  let works = 0;
  let lingering: NodeJS.Timeout | undefined;
  const rest = () => {
    Object.assign(browser, { isAwaited: false, share: idleShare });
    changed();
  };
  const settled = () => {
    works -= 1;
    if (works === 0) lingering = setTimeout(rest, lingerMs).unref();
  };
  const awaited = <Done>(work: () => Promise<Done>, begins: boolean): Promise<Done> => {
    works += 1;
    clearTimeout(lingering);
    if (begins) {
      Object.assign(browser, { isAwaited: true, fromMs: undefined, share: 1 });
      changed();
    }
    return work().finally(settled);
  };
  return {
    during: (work) => awaited(work, true),
    within: (work) => awaited(work, works === 0),
    close: () => {
      clearTimeout(lingering);
      remove();
    },
  };
}

function weigh(browsers: ReadonlySet<Attended>): void {
  const all = [...browsers].map(({ share }) => share);
  const sum = all.reduce((together, share) => together + share, 0);
  const together = all.some((share) => share > idleShare) ? allShares.whileAwaited : allShares.otherwise;
  const unit = Math.min(1 / Math.max(...all), together / sum);
  for (const browser of browsers) {
    const part = browser.share * unit;
    if (Math.abs(part / browser.part - 1) < leastChange) continue;
    void browser.group.weigh(part);
    browser.part = part;
  }
}

function shareOf(browser: Attended): number {
  const usedMs = browser.group.processorMs() ?? 0;
  browser.fromMs ??= usedMs;
  const since = usedMs - browser.fromMs;
  return shares.find(({ belowMs }) => since < belowMs)?.share ?? 1;
}
