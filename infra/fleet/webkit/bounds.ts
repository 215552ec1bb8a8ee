import type { Logger } from 'pino';
import type { ControlGroup } from './control-groups.ts';
import { createDiskLook } from './disk.ts';
import { searchProcesses, usedBy, type ProcessUse } from './process-use.ts';

/** What each browser may have. */
export interface Bounds extends ProcessUse {
  /** Of what its directory holds. */
  readonly diskBytes: number;
}

/**
 * A page of the web with hundreds of pictures takes some 400 MiB; ten tabs have a hundred threads each at most. On disk the state of a
 * profile may have 1 GiB in 20,000 files, which count for 312 MiB more at most, and downloads 256 MiB.
 */
export const usualBounds: Bounds = { memoryBytes: 2 ** 30, threads: 1_000, diskBytes: 2 ** 31 };

/** One browser as it is watched. */
export interface Watched {
  /** The session that its first process began, by whose id it goes. */
  readonly session: number;
  readonly directory: string;
  readonly group: Pick<ControlGroup, 'passed'>;
  /** It has more than it may have. */
  readonly end: () => void;
}

/** Milliseconds between two looks. */
const everyMs = 250;
/** With each of so many looks the processes are looked for anew; in between those are looked at that are known. */
const looksPerSearch = 4;

/** Looks at all browsers of a node, and ends those that have more than they may have: each counts for itself. */
export function watchBounds(bounds: Bounds, logger: Logger) {
  const watched = new Set<Watched>();
  const lookAtDisk = createDiskLook<Watched>(bounds.diskBytes, logger);
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let known: (session: number) => readonly number[] = () => [];

  const look = () => {
    if (looks++ % looksPerSearch === 0) known = searchProcesses();
    for (const browser of watched) {
      const passed = enforcedOn(browser, bounds) ?? passedBy(usedBy(known(browser.session)), bounds);
      if (passed) end(browser, passed);
    }
    const onDisk = [...watched].map((browser) => ({ browser, pids: known(browser.session) }));
    void lookAtDisk(onDisk, (browser, used) => {
      end(browser, { by: 'watch', bound: 'diskBytes', used, most: bounds.diskBytes });
    });
  };
  const end = (browser: Watched, passed: Passed) => {
    if (!watched.delete(browser)) return;
    logger.warn({ browser: browser.directory, ...passed }, 'A browser passed its bound and is ended.');
    browser.end();
  };
  return {
    most: bounds,
    /** From now on, until what it gives is called. */
    watch(browser: Watched): () => void {
      watched.add(browser);
      timer ??= setInterval(look, everyMs).unref();
      return () => {
        // It may be ending because the kernel has ended one of its processes since the last look.
        const passed = enforcedOn(browser, bounds);
        if (passed) end(browser, passed);
        watched.delete(browser);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** What each of them has now, all its processes together. */
    uses: (): readonly Use[] =>
      [...watched].map((browser) => ({ browser, ...usedBy(known(browser.session)) })),
  };
}

export interface Use extends ProcessUse {
  readonly browser: Watched;
}

export type BoundsWatch = ReturnType<typeof watchBounds>;

/** What staff see of it. Of what the kernel has enforced there was never more than was allowed. */
type Passed = { readonly bound: keyof Bounds; readonly most: number } & (
  { readonly by: 'kernel' } | { readonly by: 'watch'; readonly used: number }
);

function enforcedOn({ group }: Watched, most: Bounds): Passed | undefined {
  const bound = group.passed();
  return bound && { by: 'kernel', bound, most: most[bound] };
}

function passedBy(used: ProcessUse, most: Bounds): Passed | undefined {
  for (const bound of ['memoryBytes', 'threads'] as const) {
    if (used[bound] > most[bound]) return { by: 'watch', bound, used: used[bound], most: most[bound] };
  }
  return undefined;
}
