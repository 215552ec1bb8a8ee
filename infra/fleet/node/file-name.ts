/** Characters with a meaning to file systems, shells or readers. */
const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/gu;
/** Maximal bytes of a name. */
const longest = 200;

/** The name of an uploaded file: the last part of a path, reduced to allowed characters and to 255 of them; may be empty. */
export const givenName = (text: string): string =>
  (text.split(/[/\\]/).at(-1) ?? '')
    .replace(unsafe, '')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 255)
    .toWellFormed();

/** The last part of a path, made safe and short. */
export function baseName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last.replace(unsafe, '_').replace(/^[. ]+|[. ]+$/g, '');
  const [, stem = '', extension = ''] = /^(.+?)(\.[^.]{1,20})?$/su.exec(safe) ?? [];
  const characters = Array.from(stem);
  while (Buffer.byteLength(characters.join('') + extension) > longest) characters.pop();
  return characters.join('') + extension || 'file';
}
