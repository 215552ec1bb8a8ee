/**
 * Parses a URL; undefined if it is none. `URL.canParse` is not used: once V8 has optimized its caller, Node 20
 * misreads letters such as `ü` or `é`.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
