import type { Logger } from 'pino';
import type { BoundsWatch, Use } from './bounds.ts';
import { machineMemory, type MachineMemory } from './machine-memory.ts';

/** Memory limits for all browsers of a node together, in bytes. */
export interface Reserve {
  /** With this much in use, no more browsers are started. */
  readonly full: number;
  /** With more in use, the largest browser is ended. */
  readonly most: number;
  /**
   * With less available on the machine, the largest browser is ended; with less than twice as much, no more are
   * started.
   */
  readonly margin: number;
}

const MiB = 1024 * 1024;
/** Left for everything else on the machine, such as the service's own processes and stores. */
const othersBytes = 2048 * MiB;

/**
 * - Without `nodeMemory`, browsers may use the machine's memory less 2 GiB, or half of it on a machine with less than 4
 *   GiB.
 * - Running browsers may grow by a quarter above that together.
 * - The margin is what browsers can allocate between two samples: a twentieth of the machine, at most 512 MiB.
 */
export function reserveOf({ total }: MachineMemory, nodeMemory?: number): Reserve {
  const full = nodeMemory ?? Math.max(total / 2, total - othersBytes);
  return { full, most: full * 1.25, margin: Math.min(total / 20, 512 * MiB) };
}

type MemoryUse = Pick<Use, 'browser' | 'memoryBytes'>;

/** Whether the node is full, and the browser to end so that the others survive, if any. */
export function judge(
  reserve: Reserve,
  uses: readonly MemoryUse[],
  available: number,
): { readonly full: boolean; readonly end?: MemoryUse } {
  const used = uses.reduce((total, { memoryBytes }) => total + memoryBytes, 0);
  const full = used >= reserve.full || available < 2 * reserve.margin;
  const greediest = uses.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];
  const isShort = used > reserve.most || available < reserve.margin;
  return isShort && greediest ? { full, end: greediest } : { full };
}

/** Milliseconds between two samples of the available memory. */
const everyMs = 250;
/** While enough is available, only every fourth sample sums up the browsers' use. */
const looksPerSum = 4;
/** Milliseconds until the memory of an ended browser is free. No other browser is ended before that. */
const freeingMs = 1_000;

/** Samples the browsers' use and the available memory until it is closed. */
export function keepReserve(
  watch: Pick<BoundsWatch, 'uses'>,
  logger: Logger,
  nodeMemory: number | undefined,
) {
  const reserve = reserveOf(machineMemory(), nodeMemory);
  let full = false;
  let looks = 0;
  let freedAt = 0;

  const look = () => {
    const { available } = machineMemory();
    looks += 1;
    if (available >= 2 * reserve.margin && looks % looksPerSum !== 0) return;
    const verdict = judge(reserve, watch.uses(), available);
    if (verdict.full !== full) {
      const said = verdict.full ? 'no memory for more browsers' : 'memory for more browsers again';
      logger.warn({ ...reserve, available }, `This node has ${said}.`);
    }
    full = verdict.full;
    if (!verdict.end || performance.now() < freedAt) return;
    const { browser, memoryBytes } = verdict.end;
    logger.warn(
      { browser: browser.directory, memoryBytes, ...reserve, available },
      'Browsers take more memory than this node has: the one that takes the most is ended.',
    );
    freedAt = performance.now() + freeingMs;
    browser.end();
  };
  const timer = setInterval(look, everyMs).unref();
  return { isFull: () => full, close: () => clearInterval(timer) };
}
