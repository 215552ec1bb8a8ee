/** Type names of `session.failed`, `double_tap`, `not-found` and `mouseMove`: `SessionFailed` … */
export const inPascalCase = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
