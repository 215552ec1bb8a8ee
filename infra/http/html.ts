/** Markup, which `html` does not escape again. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

type Hole = string | Markup | readonly Markup[];

const fill = (hole: Hole): string => {
  if (typeof hole === 'string') return escape(hole);
  return hole instanceof Markup ? hole.text : hole.map(({ text }) => text).join('\n');
};

/** Escapes every value unless it is markup. */
export const html = (strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...holes.map(fill)));
