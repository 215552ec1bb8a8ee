/** A uuid that only encodes a number: runs of a simulation make the same ids every time. */
export const uuidNumber = (value: number): string =>
  `0197f1a0-0000-7000-8000-${value.toString(16).padStart(12, '0')}`;

/** Item by number, modulo the length; undefined if there are none. */
export const at = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % items.length];
