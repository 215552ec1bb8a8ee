/** The text between two separators. */
export interface Sentence {
  readonly text: string;
  /** The text with single spaces, and each quoted part replaced by its index in quotes. */
  readonly shape: string;
  readonly quoted: readonly string[];
}

/** Matches a token: quoted text, an address, white space, a semicolon, any other word, or an unclosed quote with the rest. */
const token =
  /(?<quoted>"(?:\\.|[^"\\])*"|“[^”]*”)|(?<address>[a-z][a-z0-9+.-]*:\/\/[^\s"“]+)|(?<blank>\s+)|;|(?<word>[^\s;"“]+)|["“].*/gisu;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly kind: 'quoted' | 'word' | 'blank' | 'end';
}

/**
 * Splits a message at line breaks, `;`, `then` and `and then`, with an optional comma before; never within quotes or an address.
 */
export function sentencesOf(message: string): Sentence[] {
  const sentences: Token[][] = [[]];
  for (const next of tokensOf(message)) {
    const isThen = next.kind === 'word' && next.text.toLowerCase() === 'then';
    if (next.kind === 'end' || isThen) sentences.push([]);
    else sentences.at(-1)?.push(next);
  }
  return sentences
    .map(trimmed)
    .flatMap((tokens) => (tokens.length === 0 ? [] : [sentenceOf(message, tokens)]));
}

function* tokensOf(message: string): Generator<Token> {
  for (const { 0: text, index: start, groups = {} } of message.matchAll(token)) {
    const { quoted, address, blank } = groups;
    if (quoted !== undefined) yield { text, start, kind: 'quoted' };
    else if (address !== undefined) yield* addressOf(text, start);
    else if (blank !== undefined) yield { text, start, kind: /[\r\n]/.test(text) ? 'end' : 'blank' };
    else yield { text, start, kind: text === ';' ? 'end' : 'word' };
  }
}

/** Punctuation at the end of a sentence or a part does not belong to the address before it. */
function* addressOf(text: string, start: number): Generator<Token> {
  let end = text.length;
  while (/[;,.]/.test(text[end - 1] ?? '')) end -= 1;
  yield { text: text.slice(0, end), start, kind: 'word' };
  if (text.includes(';', end)) yield { text: ';', start: end + start, kind: 'end' };
}

/** Without surrounding spaces, and without the `,` and `and` that join it to the next one. */
function trimmed(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex(({ kind }) => kind !== 'blank');
  const isNothing = ({ kind, text }: Token) =>
    kind === 'blank' || text === ',' || text.toLowerCase() === 'and';
  const last = tokens.findLastIndex((part) => !isNothing(part));
  const kept = first === -1 ? [] : tokens.slice(first, last + 1);
  const end = kept.at(-1);
  if (end?.kind !== 'word' || !end.text.endsWith(',')) return kept;
  return [...kept.slice(0, -1), { ...end, text: end.text.slice(0, -1) }];
}

function sentenceOf(message: string, tokens: readonly Token[]): Sentence {
  const [first, last] = [tokens[0], tokens.at(-1)];
  const quoted: string[] = [];
  const shapes = tokens.map(({ text, kind }) => {
    if (kind === 'blank') return ' ';
    return kind === 'quoted' ? `"${quoted.push(text) - 1}"` : text;
  });
  const text = first && last ? message.slice(first.start, last.start + last.text.length) : '';
  return { text, shape: shapes.join(''), quoted };
}

/** The text between the quotes. In straight ones, `\"` and `\\` escape the second character. */
export const unquoted = (text: string): string =>
  text.startsWith('“') ? text.slice(1, -1) : text.slice(1, -1).replace(/\\(["\\])/g, '$1');
