import type { Logger } from 'pino';

/** Lines about failed connections of one browser in a minute: a page can cause hundreds of failures a second. */
export const linesPerMinute = 10;

/**
 * Returns the function that writes a failed connection to the log. Beyond the first ones of a minute they are only counted; the next
 * line has their number as `omitted`. `now`: a monotonic clock, in milliseconds.
 */
export function failureLog(logger: Logger, now = (): number => performance.now()) {
  let begun = -Infinity;
  let written = 0;
  let omitted = 0;
  return (error: unknown, host: string): void => {
    const at = now();
    if (at - begun >= 60_000) [begun, written] = [at, 0];
    if (written >= linesPerMinute) return void (omitted += 1);
    written += 1;
    logger.info({ err: error, host, omitted }, 'An outbound connection was not made.');
    omitted = 0;
  };
}
