interface Source {
  readonly randomUUID?: () => string;
  readonly getRandomValues?: (bytes: Uint8Array) => Uint8Array;
}

/** A random UUID, even without `crypto.randomUUID`: on pages without TLS, and in Node 18. */
export function randomUuid(): string {
  const source = (globalThis as { readonly crypto?: Source }).crypto;
  if (source?.randomUUID !== undefined) return source.randomUUID();
  const bytes = new Uint8Array(36).map(() => Math.random() * 256);
  source?.getRandomValues?.(bytes);
  const digit = (_: string, at: number): string => ((bytes[at] ?? 0) & 15).toString(16);
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit);
}
