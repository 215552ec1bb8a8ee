import type { Logger } from '../logging/index.ts';
import type { Lifetime } from './lifetime.ts';

export interface ProcessRulesOptions {
  readonly logger: Logger;
  /** Everything opened by the process; closed on SIGTERM. */
  readonly lifetime: Lifetime;
  /** Awaited before anything is closed, so that nothing is opened after it. */
  readonly opening: () => Promise<unknown>;
  /** Time limit of closing, in milliseconds. */
  readonly limitMs: number;
}

/**
 * How every process ends. An unhandled rejection means a broken invariant: it is logged, and the process exits with 1. SIGTERM,
 * SIGINT or the supervisor's death close in order; a second signal, or the time limit, forces the exit.
 */
export function installProcessRules({ logger, lifetime, opening, limitMs }: ProcessRulesOptions): void {
  const die = (reason: string) => (error: unknown) => {
    logger.fatal({ err: error }, reason);
    process.exit(1);
  };
  process.on('unhandledRejection', die('A rejected promise was not handled.'));
  process.on('uncaughtException', die('An exception was not caught.'));

  let stopping = false;
  const stop = (cause: string) => {
    if (stopping) {
      logger.warn({ cause }, 'Stopping immediately.');
      process.exit(1);
    }
    stopping = true;
    logger.info({ cause }, 'Stopping.');
    setTimeout(
      () => die('Stopping took too long.')(new Error(`not closed within ${limitMs} ms`)),
      limitMs,
    ).unref();
    lifetime.end();
    opening()
      .catch(() => undefined)
      .then(() => lifetime.close())
      .then(() => process.exit(0), die('Stopping failed.'));
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (process.send) process.on('disconnect', () => stop('the supervisor is gone'));
}
