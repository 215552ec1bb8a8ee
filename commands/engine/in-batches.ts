/**
 * Processes the items in batches of `size`, each batch concurrently. Returns the results in the items' order;
 * rejects with the first failure of a batch once all of that batch have ended. No batch begins after the signal is aborted: the
 * results are then those until there.
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length && signal?.aborted !== true; start += size) {
    for (const ended of await Promise.allSettled(items.slice(start, start + size).map(work))) {
      if (ended.status === 'rejected') throw ended.reason;
      results.push(ended.value);
    }
  }
  return results;
}
