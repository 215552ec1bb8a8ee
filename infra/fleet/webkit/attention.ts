import type { ControlGroup } from './control-groups.ts';

/** Milliseconds after its last operation until a browser counts as idle: consequences of the operation may continue in the page. */
const lingerMs = 1_000;

/** Milliseconds between two samples of the processor time of browsers with an operation. */
const lookMs = 50;

/**
 * Relative CPU weight of a browser by the processor time, in milliseconds, that its current operation has used. 99 % of
 * the operations on an ordinary page stay in the first row; those on a page that uses all available time do not.
 */
const shares = [
  { belowMs: 250, share: 1 },
  { belowMs: 1_000, share: 1 / 4 },
  { belowMs: Infinity, share: 1 / 10 },
];
/** Less than any row above. */
const idleShare = 1 / 40;
/**
 * Weight of a starting browser, whatever it uses: a caller may wait for it, so it comes before pages that use all their
 * time.
 */
const startShare = 1 / 4;

/**
 * Total CPU weight of all browsers of a node, where one process of the service has 1. Each operation passes through
 * several such processes, which need little and must not wait behind a dozen browsers that start or loop.
 */
const allShares = { whileAwaited: 1, otherwise: 2 };
/**
 * A browser with an urgent operation has at least this part of its share, however many others there are: what takes
 * long in a slow operation is its browser's wait for a processor.
 */
const leastUrgentPart = 1 / 2;

/** Smaller relative changes are not written to the kernel, since each operation changes the weights of all browsers. */
const leastChange = 1 / 10;

/** Tracks whether a caller waits for a browser: while work on it is under way, and for `lingerMs` after. */
export interface Attention {
  /** The account whose session has the browser. Its browsers together get the weight of one. */
  belongTo(tenant: string): void;
  /** Runs the start of the browser, which takes a second of processor time, but runs no page and ends by itself. */
  starting<Done>(work: () => Promise<Done>): Promise<Done>;
  /** Runs an operation. Processor time is counted from its beginning. */
  during<Done>(work: () => Promise<Done>): Promise<Done>;
  /** Runs a part of an operation. Outside of `during`, it counts as an operation of its own. */
  within<Done>(work: () => Promise<Done>): Promise<Done>;
  close(): void;
}

type Attendable = Pick<ControlGroup, 'weigh' | 'confine' | 'processorMs'>;
export type Attend = (group: Attendable) => Attention;

interface Attended {
  readonly group: Attendable;
  /** Undefined until a session has the browser. */
  tenant: string | undefined;
  isAwaited: boolean;
  /**
   * The browser's processor time at the beginning of its operation, in milliseconds; undefined until the first sample.
   */
  fromMs: number | undefined;
  share: number;
  part: number;
  isConfined: boolean;
}

/**
 * Shares the processors among a node's browsers:
 * - idle browsers, and those whose operation has used much processor time, get less weight than the others;
 * - accounts get equal weights, however many browsers each of them has;
 * - all browsers together get less weight than the service, but one whose operation has used little at least half of its
 *   own share; a browser alone has its full weight;
 * - while a browser has an operation that has used little, those that start, are idle or have used much are confined to
 *   some of the processors, so that the operation and the service's processes need not wait for a turn on the others.
 *
 * Returns a function that adds a browser, which begins as idle.
 */
export function shareAttention(): Attend {
  const browsers = new Set<Attended>();
  let timer: NodeJS.Timeout | undefined;
  const apply = () => {
    weigh(browsers);
    confine(browsers);
  };
  const look = () => {
    for (const browser of browsers) if (browser.isAwaited) browser.share = shareOf(browser);
    apply();
  };
  /** Sampling is only needed with several browsers of which at least one has an operation. */
  const changed = () => {
    const isShared = browsers.size > 1 && [...browsers].some(({ isAwaited }) => isAwaited);
    if (!isShared) clearInterval(timer);
    timer = isShared ? (timer ?? setInterval(look, lookMs).unref()) : undefined;
    apply();
  };
  return (group) => {
    const browser: Attended = {
      ...{ group, tenant: undefined, isAwaited: false, fromMs: undefined },
      ...{ share: idleShare, part: 1, isConfined: false },
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
    starting: (work) => {
      browser.share = startShare;
      changed();
      return work().finally(rest);
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
    const part = share * (isUrgent(browser) ? Math.max(unit, leastUrgentPart) : unit);
    if (Math.abs(part / browser.part - 1) < leastChange) continue;
    void browser.group.weigh(part);
    browser.part = part;
  }
}

/** A caller waits for an operation that has used little. */
const isUrgent = ({ share }: Attended): boolean => share === 1;

function confine(browsers: ReadonlySet<Attended>): void {
  const isAnyUrgent = [...browsers].some(isUrgent);
  for (const browser of browsers) {
    const isConfined = isAnyUrgent && !isUrgent(browser);
    if (isConfined === browser.isConfined) continue;
    void browser.group.confine(isConfined);
    browser.isConfined = isConfined;
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
