/**
 * Rejects with what `late` makes when `work` has not settled within the given milliseconds. The promise is not cancelled; its
 * result is ignored.
 */
export const within = <T>(
  ms: number,
  work: Promise<T>,
  late = (): Error => new Error(`It took longer than ${ms} ms.`),
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
