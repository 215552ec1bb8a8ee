import { Script, createContext } from 'node:vm';

const script = new Script('work()');
/** Retries of work that got less CPU time than its limit, because of other load on the machine. */
const tries = 10;

/**
 * Runs work on untrusted input that may never end, such as matching a customer's pattern, and returns its result. It blocks the
 * thread, and may be repeated, so it must have no effects.
 *
 * @throws CpuLimitExceeded after that many milliseconds of CPU time; and what the work throws
 */
export function withCpuLimit<T>(milliseconds: number, work: () => T): T {
  for (let left = tries - 1; ; left -= 1) {
    const before = process.cpuUsage();
    try {
      return script.runInContext(createContext({ work }), { timeout: milliseconds }) as T;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const { user, system } = process.cpuUsage(before);
      // Somewhat less than by the wall clock.
      if (left === 0 || user + system > milliseconds * 800) throw new CpuLimitExceeded();
    }
  }
}

/** The error may be of the other context, which has its own `Error`. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

export class CpuLimitExceeded extends Error {
  override readonly name = 'CpuLimitExceeded';

  constructor() {
    super('It took too long.');
  }
}
