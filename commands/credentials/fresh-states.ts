/** States of streams that are believed for a while and forgotten at once when their stream is known to have changed. */
export interface FreshStates<State> {
  get(uuid: string): Promise<State>;
  /** Whether the state has been asked for lately, however old what is known is by now. */
  has(uuid: string): boolean;
  forget(uuid: string): void;
}

interface Entry<State> {
  readonly state: Promise<State>;
  readonly readAt: number;
}

/**
 * `maxAgeMs` bounds how old a believed state can be, whatever became of the news of its change. One read serves all that
 * ask meanwhile; a state read before `forget` and arriving after it is given to those who waited, and not kept.
 */
export function createFreshStates<State>(
  read: (uuid: string) => Promise<State>,
  { maxAgeMs, entries = 10_000 }: { readonly maxAgeMs: number; readonly entries?: number },
): FreshStates<State> {
  const known = new Map<string, Entry<State>>();

  return {
    get(uuid) {
      const readAt = performance.now();
      const found = known.get(uuid);
      if (found && readAt - found.readAt < maxAgeMs) return found.state;
      const entry = { state: read(uuid), readAt };
      known.delete(uuid);
      known.set(uuid, entry);
      const [oldest] = known.keys();
      if (known.size > entries && oldest !== undefined) known.delete(oldest);
      entry.state.catch(() => known.get(uuid) === entry && known.delete(uuid));
      return entry.state;
    },
    has: (uuid) => known.has(uuid),
    forget: (uuid) => void known.delete(uuid),
  };
}
