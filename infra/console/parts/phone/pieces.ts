/** Cuts a text into pieces of at most `most` characters (code points), none of which is cut itself. */
export const piecesOf = (text: string, most: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${most}}`, 'gu')) ?? [];
