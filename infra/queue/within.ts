/** The late result of what did not come in time is of no use; its failure has been told already. */
export const within = <T>(limitMs: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`The queue took longer than ${limitMs} ms.`));
    const timer = setTimeout(late, limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
