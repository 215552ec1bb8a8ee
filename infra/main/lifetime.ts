import type { Logger } from '../logging/index.ts';

/** What a process has opened, closed once and in the reverse order of opening. */
export interface Lifetime {
  defer(name: string, close: () => unknown): void;
  /** Aborted once it is to end: whatever waits for something that is not there yet gives up. */
  readonly ending: AbortSignal;
  end(): void;
  close(): Promise<void>;
}

/** One part failing to close does not keep the others open. */
export function createLifetime(logger: Pick<Logger, 'info' | 'error'>): Lifetime {
  const open: { name: string; close: () => unknown }[] = [];
  let closed: Promise<void> | undefined;
  const ending = new AbortController();
  const closeAll = async () => {
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      try {
        await part.close();
      } catch (error) {
        logger.error({ err: error, part: part.name }, 'Could not be closed.');
      }
    }
    logger.info('Everything is closed.');
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
