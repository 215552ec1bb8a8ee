/** An estimate, rather too high, of a text's tokens: one per four ASCII characters, and one per other character. */
export function tokensOf(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 4) + others;
}

/** The beginning of a text, within a token limit. */
export function beginning(text: string, tokens: number): string {
  const most = text.slice(0, tokens * 4);
  if (tokensOf(most) <= tokens) return most.toWellFormed();
  let [fits, tooLong] = [0, most.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (tokensOf(most.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return most.slice(0, fits).toWellFormed();
}

/** The first items that fit, by their costs. */
export function firstThatFit<T>(
  all: readonly T[],
  tokens: number,
  costOf: (each: T) => number,
): readonly T[] {
  let left = tokens;
  const end = all.findIndex((each) => (left -= costOf(each)) < 0);
  return end === -1 ? all : all.slice(0, end);
}

/** Maximum tokens of a whole answer. */
export const maxAnswerTokens = 6000;
