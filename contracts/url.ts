/**
 * Parses a URL; undefined if it is none. `URL.canParse` is not asked: once V8 has optimized its caller, Node 20 takes the letters
 * of `ü` or `é` for broken ones.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
