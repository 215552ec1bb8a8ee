import type { Logger } from '../logging/index.ts';

/** Everything that a process has opened, closed once and in reverse order. */
export interface Lifetime {
  defer(name: string, close: () => unknown): void;
  /** Aborted when the process is to end: waits for missing dependencies give up. */
  readonly ending: AbortSignal;
  end(): void;
  close(): Promise<void>;
}

/** A part that fails to close does not keep the others open. */
export function createLifetime(logger: Pick<Logger, 'info' | 'error'>): Lifetime {
  const open: { name: string; close: () => unknown }[] = [];
  let closed: Promise<void> | undefined;
  const ending = new AbortController();
  const closeAll = async () => {
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      try {
        await part.close();
      } catch (error) {
        logger.error({ err: error, part: part.name }, 'A part of this process could not be closed.');
      }
    }
    logger.info('All parts of this process are closed.');
  };
  return {
    defer: (name, close) => {
      open.push({ name, close });
    },
    ending: ending.signal,
    end: () => ending.abort(),
    close: () => (closed ??= closeAll()),
  };
}
