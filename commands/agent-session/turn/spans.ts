/** A part of a text, by the places of its first character and of the one behind it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the text has the part, from left to right, none within another. */
export function spansWithin(text: string, part: string): readonly Span[] {
  const spans: Span[] = [];
  if (part === '') return spans;
  for (let from = text.indexOf(part); from !== -1; from = text.indexOf(part, from + part.length))
    spans.push({ from, to: from + part.length });
  return spans;
}

/** The text with each of these parts replaced; parts that overlap are one. */
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
