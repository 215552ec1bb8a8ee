/**
 * Rejects with what `late` makes when `work` has not settled after so many milliseconds; `work` itself goes on, and what
 * becomes of it then is of no use to anybody.
 */
export const within = <T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
