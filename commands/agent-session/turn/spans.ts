/** A part of a text, by the indices of its first character and after its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Non-overlapping occurrences of the part, from left to right. */
export function spansWithin(text: string, part: string): readonly Span[] {
  const spans: Span[] = [];
  if (part === '') return spans;
  for (let from = text.indexOf(part); from !== -1; from = text.indexOf(part, from + part.length))
    spans.push({ from, to: from + part.length });
  return spans;
}

/** Replaces these parts of the text; overlapping parts are merged. */
export function withoutSpans(text: string, spans: readonly Span[], by: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from || other.to - one.to)) {
    if (to <= end) continue;
    if (from >= end) pieces.push(text.slice(end, from), by);
    end = to;
  }
  return `${pieces.join('')}${text.slice(end)}`;
}
