import { readFileSync, readdirSync } from 'node:fs';
import type { Logger } from 'pino';
import type { ControlGroup } from './control-groups.ts';

/** What each browser may have, all its processes together, its X server among them. */
export interface Bounds {
  readonly memoryBytes: number;
  readonly threads: number;
}

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
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let known: (session: number) => readonly number[] = () => [];

  const look = () => {
    if (looks % looksPerSearch === 0) known = searchProcesses();
    looks += 1;
    for (const browser of watched) {
      const passed = enforcedOn(browser, bounds) ?? passedBy(usedBy(known(browser.session)), bounds);
      if (passed) end(browser, passed);
    }
  };
  const end = (browser: Watched, passed: Passed) => {
    watched.delete(browser);
    logger.warn({ browser: browser.directory, ...passed }, 'A browser passed its bound and is ended.');
    browser.end();
  };
  return {
    /** From now on, until what it gives is called. */
    watch(browser: Watched): () => void {
      watched.add(browser);
      timer ??= setInterval(look, everyMs).unref();
      return () => {
        // It may be ending because the kernel has ended one of its processes since the last look.
        const passed = watched.has(browser) && enforcedOn(browser, bounds);
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

export interface Use extends Bounds {
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

function passedBy(used: Bounds, most: Bounds): Passed | undefined {
  for (const bound of ['memoryBytes', 'threads'] as const) {
    if (used[bound] > most[bound]) return { by: 'watch', bound, used: used[bound], most: most[bound] };
  }
  return undefined;
}

const nothing: Bounds = { memoryBytes: 0, threads: 0 };

function usedBy(pids: readonly number[]): Bounds {
  const together = (all: Bounds, one: Bounds): Bounds => ({
    memoryBytes: all.memoryBytes + one.memoryBytes,
    threads: all.threads + one.threads,
  });
  return pids.map(useOf).reduce(together, nothing);
}

/** What one process has. Programs and files in memory do not count: the kernel has them once for all, and can drop them. */
function useOf(pid: number): Bounds {
  const status = contentOf(`/proc/${pid}/status`) ?? '';
  const said = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  const kilobytes = said('RssAnon') + said('RssShmem') + said('VmSwap');
  return { memoryBytes: kilobytes * 1024, threads: said('Threads') };
}

/**
 * Those of a session, and those that they began, which may have begun sessions of their own. In namespaces nothing gets out of
 * that: whoever loses its parent there is given to the first process of the namespace.
 */
function searchProcesses(): (session: number) => readonly number[] {
  const members = new Map<number, number[]>();
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    const stat = Number.isInteger(pid) ? contentOf(`/proc/${pid}/stat`) : undefined;
    if (stat === undefined) continue;
    // The name before them is in brackets and may hold anything.
    const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4);
    add(children, Number(parent), pid);
    add(members, Number(session), pid);
  }
  return (session) => {
    const found = new Set(members.get(session));
    for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
    return [...found];
  };
}

function add(to: Map<number, number[]>, key: number, pid: number): void {
  const there = to.get(key);
  if (there) there.push(pid);
  else to.set(key, [pid]);
}

/** Undefined for a process that has ended meanwhile. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
