import type { ControlGroup } from './control-groups.ts';

/** Milliseconds after its last operation until a browser counts as idle: consequences of the operation may continue in the page. */
const lingerMs = 1_000;

/** Milliseconds between two samples of the processor time of browsers with an operation. */
const lookMs = 50;

/**
 * Relative CPU weight of a browser by the processor time, in milliseconds, that its current operation has used. 99 % of the operations on
 * an ordinary page stay in the first row; those on a page that uses all available time do not.
 */
const shares = [
  { belowMs: 250, share: 1 },
  { belowMs: 1_000, share: 1 / 4 },
  { belowMs: Infinity, share: 1 / 10 },
];
/**
 * Less than any row above: a browser start takes more than a second of processor time and must come before idle pages.
 */
const idleShare = 1 / 40;

/**
 * Total CPU weight of all browsers of a node, where one process of the service has 1. Each operation passes through
 * several such processes, which need little and must not wait behind a dozen browsers that start or loop.
 */
const allShares = { whileAwaited: 1, otherwise: 2 };

/** Smaller relative changes are not written to the kernel, since each operation changes the weights of all browsers. */
const leastChange = 1 / 10;

/** Tracks whether a caller waits for a browser: while work on it is under way, and for `lingerMs` after. */
export interface Attention {
  /** The account whose session has the browser. Its browsers together get the weight of one. */
  belongTo(tenant: string): void;
  /** Runs an operation. Processor time is counted from its beginning. */
  during<Done>(work: () => Promise<Done>): Promise<Done>;
  /** Runs a part of an operation. Outside of `during`, it counts as an operation of its own. */
  within<Done>(work: () => Promise<Done>): Promise<Done>;
  close(): void;
}

export type Attend = (group: Pick<ControlGroup, 'weigh' | 'processorMs'>) => Attention;

interface Attended {
  readonly group: Pick<ControlGroup, 'weigh' | 'processorMs'>;
  /** Undefined until a session has the browser. */
  tenant: string | undefined;
  isAwaited: boolean;
  /**
   * The browser's processor time at the beginning of its operation, in milliseconds; undefined until the first sample.
   */
  fromMs: number | undefined;
  share: number;
  part: number;
}

/**
 * Sets the CPU weights of a node's browsers. Idle browsers, and those whose operation has used much processor time, get
 * less than the others; accounts get equal weights, however many browsers each of them has; all browsers together get less
 * than the service. A browser alone has its full weight. Returns a function that adds a browser, which begins as idle.
 */
export function shareAttention(): Attend {
  const browsers = new Set<Attended>();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    for (const browser of browsers) if (browser.isAwaited) browser.share = shareOf(browser);
    weigh(browsers);
  };
  /** Sampling is only needed with several browsers of which at least one has an operation. */
  const changed = () => {
    const isShared = browsers.size > 1 && [...browsers].some(({ isAwaited }) => isAwaited);
    if (!isShared) clearInterval(timer);
    timer = isShared ? (timer ?? setInterval(look, lookMs).unref()) : undefined;
    weigh(browsers);
  };
  return (group) => {
    const browser: Attended = {
      ...{ group, tenant: undefined, isAwaited: false, fromMs: undefined },
      ...{ share: idleShare, part: 1 },
    };
    browsers.add(browser);
    changed();
    return attentionFor(browser, changed, () => {
      browsers.delete(browser);
      // Shut down at full weight, which frees memory for the others.
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
    belongTo: (tenant) => {
      browser.tenant = tenant;
      changed();
    },
    during: (work) => awaited(work, true),
    within: (work) => awaited(work, works === 0),
    close: () => {
      clearTimeout(lingering);
      remove();
    },
  };
}

function weigh(browsers: ReadonlySet<Attended>): void {
  const shares = sharesOf(browsers);
  const all = [...shares.values()];
  const sum = all.reduce((together, share) => together + share, 0);
  const isAwaited = [...browsers].some(({ share }) => share > idleShare);
  const together = isAwaited ? allShares.whileAwaited : allShares.otherwise;
  const unit = Math.min(1 / Math.max(...all), together / sum);
  for (const [browser, share] of shares) {
    const part = share * unit;
    if (Math.abs(part / browser.part - 1) < leastChange) continue;
    void browser.group.weigh(part);
    browser.part = part;
  }
}

/** The browsers of an account divide the largest of their shares. One without an account keeps its share. */
function sharesOf(browsers: ReadonlySet<Attended>): ReadonlyMap<Attended, number> {
  const owners = new Map<string | Attended, { most: number; sum: number }>();
  const ownerOf = (browser: Attended) => browser.tenant ?? browser;
  for (const browser of browsers) {
    const { most, sum } = owners.get(ownerOf(browser)) ?? { most: 0, sum: 0 };
    owners.set(ownerOf(browser), { most: Math.max(most, browser.share), sum: sum + browser.share });
  }
  return new Map(
    [...browsers].map((browser) => {
      const { most, sum } = owners.get(ownerOf(browser)) ?? { most: 1, sum: 1 };
      return [browser, (browser.share * most) / sum];
    }),
  );
}

function shareOf(browser: Attended): number {
  const usedMs = browser.group.processorMs() ?? 0;
  browser.fromMs ??= usedMs;
  const since = usedMs - browser.fromMs;
  return shares.find(({ belowMs }) => since < belowMs)?.share ?? 1;
}
