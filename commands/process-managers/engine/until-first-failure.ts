/**
 * Waits for parts that live and die together: the first to end, well or not, ends the others. Throws the first failure
 * once all have ended, so that none of them fails while nobody is looking.
 */
export async function untilFirstFailure(parts: readonly Promise<void>[], end: () => void): Promise<void> {
  const ended = await Promise.allSettled(parts.map((part) => part.finally(end)));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
