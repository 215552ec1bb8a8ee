import { readFileSync } from 'node:fs';

/**
 * The content of a file of `/proc` or `/sys`. Undefined if there is no such file, or it may not be read: its process may have
 * exited meanwhile, or be another user's.
 */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
