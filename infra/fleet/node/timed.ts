/** The operation's result, with its duration in whole milliseconds by the given clock. */
export async function timed<T extends object>(
  now: () => number,
  work: () => T | Promise<T>,
): Promise<T & { readonly duration_ms: number }> {
  const begin = now();
  const result = await work();
  return { ...result, duration_ms: Math.max(0, Math.round(now() - begin)) };
}
