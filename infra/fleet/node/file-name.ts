/** What a file system, a shell or a reader would take for more than a part of a name. */
const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/gu;
/** Bytes of the longest name. */
const longest = 200;

/**
 * The last part of a path, reduced to characters allowed in a name and to 255 characters; empty if nothing is left. The
 * name of an uploaded file.
 */
export const givenName = (text: string): string =>
  (text.split(/[/\\]/).at(-1) ?? '')
    .replace(unsafe, '')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 255)
    .toWellFormed();

/** The last part of a path, harmless and short. */
export function baseName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last.replace(unsafe, '_').replace(/^[. ]+|[. ]+$/g, '');
  const [, stem = '', extension = ''] = /^(.+?)(\.[^.]{1,20})?$/su.exec(safe) ?? [];
  const characters = Array.from(stem);
  while (Buffer.byteLength(characters.join('') + extension) > longest) characters.pop();
  return characters.join('') + extension || 'file';
}
