/**
 * One address and no more: a comma, a bracket, a quote or a line's end would make a list of readers of it, another reader,
 * or another header. Addresses that need quoting are valid mail addresses too, and are not taken.
 */
export const isMailAddress = (text: string): boolean =>
  /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/.test(text);
