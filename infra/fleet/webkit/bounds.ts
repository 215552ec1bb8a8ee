import type { Logger } from 'pino';
import type { ControlGroup } from './control-groups.ts';
import { createDiskLook } from './disk.ts';
import { searchProcesses, usedBy, type ProcessUse } from './process-use.ts';

/** Maximal resources of each browser. */
export interface Bounds extends ProcessUse {
  /** Bytes of the files in its directory. */
  readonly diskBytes: number;
}

/**
 * A web page with hundreds of pictures takes some 400 MiB; ten tabs have at most a hundred threads each. On disk, a
 * profile's state may have 1 GiB in 20,000 files, which count for at most 312 MiB more, and downloads 256 MiB.
 */
export const usualBounds: Bounds = { memoryBytes: 2 ** 30, threads: 1_000, diskBytes: 2 ** 31 };

/** A watched browser. */
export interface Watched {
  /** Id of the session (setsid) that its first process leads. */
  readonly session: number;
  readonly directory: string;
  readonly group: Pick<ControlGroup, 'passed'>;
  /** Called when the browser has passed a bound. */
  readonly end: () => void;
}

/** Milliseconds between two samples. */
const everyMs = 250;
/** Every fourth sample searches `/proc` for new processes; the others only read those that are known. */
const looksPerSearch = 4;

/** Samples all browsers of a node, and ends each one that has passed a bound. */
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
    logger.warn({ browser: browser.directory, ...passed }, 'A browser exceeded a limit and is ended.');
    browser.end();
  };
  return {
    most: bounds,
    /** Watches the browser until the returned function is called. */
    watch(browser: Watched): () => void {
      watched.add(browser);
      timer ??= setInterval(orLogged(look, logger), everyMs).unref();
      return () => {
        // It may be ending because the kernel has killed one of its processes since the last sample.
        const passed = enforcedOn(browser, bounds);
        if (passed) end(browser, passed);
        watched.delete(browser);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** Current use of each browser, all its processes together. */
    uses: (): readonly Use[] =>
      [...watched].map((browser) => ({ browser, ...usedBy(known(browser.session)) })),
  };
}

/** Logs what a sample throws, such as while the node has no file descriptor left: the next one is taken all the same. */
const orLogged = (look: () => void, logger: Logger) => (): void => {
  try {
    look();
  } catch (error) {
    logger.error({ err: error }, 'The use of browsers cannot be measured.');
  }
};

export interface Use extends ProcessUse {
  readonly browser: Watched;
}

export type BoundsWatch = ReturnType<typeof watchBounds>;

/** The reason that staff see. For a bound that the kernel enforces, use never exceeded the limit. */
type Passed = { readonly bound: keyof Bounds; readonly most: number } & (
  | { readonly by: 'kernel' }
  | { readonly by: 'watch'; readonly used: number }
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
