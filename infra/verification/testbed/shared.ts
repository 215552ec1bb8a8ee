export interface Shared<T> {
  readonly start: () => Promise<T>;
  readonly end: (it: T) => Promise<unknown>;
}

/** Functions that end the resources still in use. */
const open = new Set<() => Promise<void>>();

/**
 * For a resource that is slow to start and can be used by several suites: it starts with the first suite of the process that uses it,
 * and ends with the last. The returned function must be called in each `describe`; its result returns the resource in tests and hooks.
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
    const holder: { it?: T } = {};
    suites += 1;
    before('what is shared', async () => {
      open.add(stop);
      holder.it = await (started ??= start());
    });
    after('what is shared', async () => {
      suites -= 1;
      if (suites === 0) await stop();
    });
    return () => {
      if (holder.it === undefined) throw new Error('It is there in tests and hooks, not before.');
      return holder.it;
    };
  };
}

/** Needed because a suite without selected tests is not run, and so does not count down. */
export async function endShared(): Promise<void> {
  await Promise.all([...open].map((stop) => stop()));
}
