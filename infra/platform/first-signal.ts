const held = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * A signal that is aborted with the first of these; a single one is returned as it is. The one of `AbortSignal.any` does not keep them
 * from being garbage-collected, and a collected `AbortSignal.timeout` is never aborted.
 */
export function firstSignal(...signals: readonly AbortSignal[]): AbortSignal {
  const [only, second] = signals;
  if (only !== undefined && second === undefined) return only;
  const first = AbortSignal.any([...signals]);
  held.set(first, signals);
  return first;
}
