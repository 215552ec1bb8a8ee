import type { ApiKeyId } from '../contracts/ids.ts';

/** A key's reservation under the quota. A released one stays on record, so that the same key is never admitted again. */
type KeyReservation = { readonly held: true; readonly since: string } | { readonly held: false };

export interface AccountKeys {
  /** The keys that hold a reservation, and the last ones that released theirs. */
  readonly keys: Readonly<Partial<Record<ApiKeyId, KeyReservation>>>;
  /** Keys that released theirs earlier, in lists that no change copies. Absent if there are none. */
  readonly releasedKeys?: readonly (readonly ApiKeyId[])[];
}

/** Released keys in `keys`, which every change copies, before they are moved. */
const longestTail = 64;

const entriesOf = ({ keys }: AccountKeys) => Object.entries(keys) as [ApiKeyId, KeyReservation][];

export const withHeld = ({ keys }: AccountKeys, id: ApiKeyId, since: string): AccountKeys => ({
  keys: { ...keys, [id]: { held: true, since } },
});

/** However many keys an account has had, this copies as much as for the first ones. */
export function withReleased({ keys, releasedKeys = [] }: AccountKeys, id: ApiKeyId): AccountKeys {
  const changed: AccountKeys = { keys: { ...keys, [id]: { held: false } } };
  const released = entriesOf(changed).filter(([, { held }]) => !held);
  if (released.length < longestTail) return changed;
  const kept = entriesOf(changed).filter(([, { held }]) => held);
  return {
    keys: Object.fromEntries(kept),
    releasedKeys: [...releasedKeys, released.map(([each]) => each)],
  };
}

/** Whether the key holds a reservation, or ever did. */
export const hasReserved = ({ keys, releasedKeys = [] }: AccountKeys, id: ApiKeyId): boolean =>
  keys[id] !== undefined || releasedKeys.some((ids) => ids.includes(id));

/** All keys with a reservation, held or released. */
export const everReserved = ({ keys, releasedKeys = [] }: AccountKeys): readonly ApiKeyId[] => [
  ...new Set([...releasedKeys.flat(), ...(Object.keys(keys) as ApiKeyId[])]),
];
