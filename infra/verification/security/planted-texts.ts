import { randomInt } from 'node:crypto';

/** Texts that were sent, each with its field. */
export interface PlantedTexts {
  /** A new text of 20 lower-case letters, which every form that takes words accepts. */
  text(field: string): string;
  /** Records that a text was sent in this field too. */
  also(field: string, text: string): void;
  /** The fields whose text is in there, in any of the encodings that it may be stored in. `bytes`: latin 1. */
  fieldsIn(bytes: string): ReadonlySet<string>;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Encodings of a text of lower-case letters; JSON and URLs leave it as it is. Base64 and base64url of such letters are
 * the same, and depend on the text's offset modulo three bytes: the invariant part is searched for.
 */
const formsOf = (text: string): readonly string[] => [
  text,
  text.toUpperCase(),
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('hex').toUpperCase(),
  Buffer.from(text, 'utf16le').toString('latin1'),
  ...[0, 1, 2].map((before) =>
    Buffer.from('.'.repeat(before) + text)
      .toString('base64')
      .slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3)),
  ),
];

export function plantedTexts(): PlantedTexts {
  const fieldsOf = new Map<string, Set<string>>();
  let pattern: RegExp | undefined;
  const byForm = new Map<string, string>();
  const also = (field: string, text: string) => {
    fieldsOf.set(text, (fieldsOf.get(text) ?? new Set()).add(field));
    formsOf(text).forEach((form) => byForm.set(form, text));
    pattern = undefined;
  };
  return {
    also,
    text(field) {
      const text = `canary${Array.from({ length: 14 }, () => letters[randomInt(26)]).join('')}`;
      also(field, text);
      return text;
    },
    fieldsIn(bytes) {
      pattern ??= new RegExp([...byForm.keys()].join('|'), 'g');
      const found = new Set<string>();
      for (const [form] of bytes.matchAll(pattern))
        fieldsOf.get(byForm.get(form) ?? '')?.forEach((field) => found.add(field));
      return found;
    },
  };
}
