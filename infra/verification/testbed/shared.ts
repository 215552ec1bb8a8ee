export interface Shared<T> {
  readonly start: () => Promise<T>;
  readonly end: (it: T) => Promise<unknown>;
}

/** Ends what the hooks have left open. */
const open = new Set<() => Promise<void>>();

/**
 * For what takes long to start and does not mind who else uses it: it starts with the first suite of the process that does, and ends
 * with the last. To be called in each `describe`; what it returns gives it in tests and hooks.
 */
export function shared<T>({ start, end }: Shared<T>): () => () => T {
  let suites = 0;
  let started: Promise<T> | undefined;
  const stop = async (): Promise<void> => {
    open.delete(stop);
    const it = await started?.catch(() => undefined);
    started = undefined;
    if (it !== undefined) await end(it);
  };
  return () => {
    const there: { it?: T } = {};
    suites += 1;
    before('what is shared', async () => {
      open.add(stop);
      there.it = await (started ??= start());
    });
    after('what is shared', async () => {
      suites -= 1;
      if (suites === 0) await stop();
    });
    return () => {
      if (there.it === undefined) throw new Error('It is there in tests and hooks, not before.');
      return there.it;
    };
  };
}

/** A suite that was not run, as none of its tests is selected, does not count down. */
export async function endShared(): Promise<void> {
  await Promise.all([...open].map((stop) => stop()));
}
