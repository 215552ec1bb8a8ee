/**
 * A stream of pseudo-random choices that a seed determines. Streams of different names are independent, so that drawing
 * more from one does not shift another.
 */
export interface Random {
  /** Uniform on [0, 1). */
  next(): number;
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** @throws RangeError if the list is empty */
  pick<T>(items: readonly T[]): T;
  /** One of the items, with probabilities proportional to their weights. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T;
  of(name: string): Random;
}

export function randomOf(seed: number, name = ''): Random {
  const next = uniform(hash(`${seed} ${name}`));
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick,
    weighted(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      return items.find(({ weight }) => (left -= weight) < 0) ?? pick(items);
    },
    of: (inner) => randomOf(seed, `${name}/${inner}`),
  };
}

/** FNV-1a, 32 bits: separates neighbouring seeds and names. */
function hash(text: string): number {
  let hashed = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hashed = Math.imul(hashed ^ byte, 0x01000193);
  return hashed >>> 0;
}

/** Mulberry32: 32 bits of state, uniform on [0, 1). */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
