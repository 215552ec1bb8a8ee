/** A stream of choices that a seed fixes. Streams of other names are independent, so who draws more shifts nobody else. */
export interface Random {
  /** Uniform on [0, 1). */
  next(): number;
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** @throws RangeError when there is nothing to pick from */
  pick<T>(items: readonly T[]): T;
  /** One of the items, each as likely as its weight says. */
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

/** FNV-1a, 32 bits: spreads neighbouring seeds and names apart. */
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
