import type { Logger } from 'pino';
import type { BoundsWatch, Use } from './bounds.ts';
import { machineMemory, type MachineMemory } from './machine-memory.ts';

/** Bytes that all browsers of a node have to do with. */
export interface Reserve {
  /** With so much in use the node starts no more browsers. */
  readonly full: number;
  /** With more in use the greediest is ended. */
  readonly most: number;
  /** With less left on the machine the greediest is ended; with less than twice as much no more are started. */
  readonly margin: number;
}

const MiB = 1024 * 1024;
/** For whatever else runs on the machine, the service's own processes and stores with it. */
const othersBytes = 2048 * MiB;

/**
 * - Without `nodeMemory` browsers may have the machine but for 2 GiB, and half of a machine that has less than twice that.
 * - Those that run may grow together by a quarter of it.
 * - The margin is what browsers can take between two looks: a twentieth of the machine, at most 512 MiB.
 */
export function reserveOf({ total }: MachineMemory, nodeMemory?: number): Reserve {
  const full = nodeMemory ?? Math.max(total / 2, total - othersBytes);
  return { full, most: full * 1.25, margin: Math.min(total / 20, 512 * MiB) };
}

type MemoryUse = Pick<Use, 'browser' | 'memoryBytes'>;

/** Whether more browsers may be started, and the one to be ended so that the others live. */
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

/** Milliseconds between two looks at what is left. */
const everyMs = 250;
/** What all browsers have is summed up with each of so many looks, as long as there is enough left. */
const looksPerSum = 4;
/** What an ended browser had is free within a second: until then nobody else is ended for it. Milliseconds. */
const freeingMs = 1_000;

/** Looks at what the browsers have together and at what is left, until it is closed. */
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
