import { randomInt } from 'node:crypto';

/** Texts that were sent, each one with the field that it was sent in. */
export interface PlantedTexts {
  /** A new one: 20 small letters, which every form that takes words takes. */
  text(field: string): string;
  /** One was sent in this field too. */
  also(field: string, text: string): void;
  /** The fields of which a text is in there, in any of the forms that it may be kept in. `bytes`: latin 1. */
  fieldsIn(bytes: string): ReadonlySet<string>;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The forms of a text of small letters that are not itself; to JSON and to URLs they are plain. Base64 and base64url of small letters are the
 * same, and depend on where in three bytes the text begins: what of it is sure is looked for.
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
