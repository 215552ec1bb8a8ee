/**
 * Runs parts until the first of them settles, then calls `end` so that the others stop too. Rejects with the first failure
 * once all have settled: no rejection goes unhandled.
 */
export async function untilFirstFailure(parts: readonly Promise<void>[], end: () => void): Promise<void> {
  const ended = await Promise.allSettled(parts.map((part) => part.finally(end)));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
