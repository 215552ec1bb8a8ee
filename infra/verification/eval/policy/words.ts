const empty = new Set(
  (
    'the a an of at in on to and then that this those these my me it its is are was be been by for with from as i you he she we they ' +
    'tell say show open go which what when where one ones who whether all please now just so there here look will do does'
  ).split(' '),
);
const same: Readonly<Record<string, string>> = { cost: 'price', come: 'arrive', creat: 'create' };

/** The stemmed words of a text, without stop words. */
export const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\d][\p{L}\d.@'-]*/gu) ?? [])
    .map((word) => word.replace(/[.'-]+$/, ''))
    .filter((word) => !empty.has(word))
    .map(stem);

const stem = (word: string): string => {
  const stemmed = word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word;
  return same[stemmed] ?? stemmed;
};

/** Number of distinct words of the first list that are in the second. */
export const shared = (some: readonly string[], others: readonly string[]): number =>
  new Set(some.filter((word) => others.includes(word))).size;

export const within = (some: readonly string[], others: readonly string[]): boolean =>
  some.length > 0 && some.every((word) => others.includes(word));
