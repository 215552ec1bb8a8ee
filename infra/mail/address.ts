/**
 * A single address: a comma, a bracket, a quote or a line end could add recipients or headers, and servers refuse control
 * characters. Valid addresses that need quoting are refused too.
 */
export const isMailAddress = (text: string): boolean =>
  /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u.test(text);
