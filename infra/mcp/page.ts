import type { PageObservation } from '../../contracts/client/index.ts';
import { beginning, firstThatFit, tokensOf } from './tokens.ts';
import { oneLine, quoted } from './words.ts';

type Observed = PageObservation['elements'][number];

/** An element in `structuredContent`. */
export interface ShownElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly states?: readonly string[];
}

/** Maximum characters of a name, an address and a title. */
const longest = { name: 80, value: 80, url: 300, title: 150, option: 30, options: 12 } as const;

export const elementOf = ({ ref, role, name, value, states }: Observed): ShownElement => ({
  ...{ ref, role: oneLine(role, 30), name: oneLine(name, longest.name) },
  ...(value !== undefined && { value: oneLine(value, longest.value) }),
  ...(states !== undefined && { states }),
});

/** `e4 textbox "Email" = "ada@example.com" (focused)` */
export function lineOf({ ref, role, name, value, states, options = [] }: Observed): string {
  const choices = options.slice(0, longest.options).map((option) => oneLine(option, longest.option));
  return [
    `${ref} ${oneLine(role, 30)} ${quoted(name, longest.name)}`,
    ...(value === undefined ? [] : [`= ${quoted(value, longest.value)}`]),
    ...(choices.length === 0 ? [] : [`of ${choices.map((each) => JSON.stringify(each)).join(' ')}`]),
    ...(states === undefined ? [] : [`(${states.join(', ')})`]),
  ].join(' ');
}

/** Its tokens, as it appears twice: as a line, and as data. */
export const costOf = (element: Observed): number =>
  tokensOf(lineOf(element)) + tokensOf(JSON.stringify(elementOf(element))) + 1;

export const headOf = ({ url, title }: Pick<PageObservation, 'url' | 'title'>) => ({
  url: oneLine(url, longest.url),
  title: oneLine(title, longest.title),
});

/** The non-empty lines of a text, however long: what does not fit into an answer is cut before. */
export const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const words = oneLine(line, Infinity);
    return words === '' ? [] : [words];
  });

/** The request of an observation. `text`: index of the first character of the page's text. */
export interface Asked {
  readonly from?: number | undefined;
  readonly text?: number | undefined;
}

/** Token budgets; they fill about half of an answer for a typical page. */
const budgets = { usual: { elements: 1150, text: 320 }, withText: { elements: 600, text: 4200 } } as const;

export interface ShownPage {
  /** Words of the page. */
  readonly lines: readonly string[];
  /** What was left out, and how to get it; words of the service. */
  readonly more: readonly string[];
  readonly structured: {
    readonly url: string;
    readonly title: string;
    readonly elements: readonly ShownElement[];
    readonly left: number;
  };
}

/** A page as an answer, within the budget of an observation. */
export function showPage(page: PageObservation, { from = 0, text }: Asked = {}): ShownPage {
  const budget = text === undefined ? budgets.usual : budgets.withText;
  const asked = page.elements.slice(from);
  const shown = firstThatFit(asked, budget.elements, costOf);
  const left = asked.length - shown.length;
  const words = textOf(page, text ?? 0, budget.text);
  const head = headOf(page);
  return {
    lines: [
      ...[`address: ${head.url}`, `title: ${head.title}`],
      ...(page.dialog === null ? [] : [`dialog: ${oneLine(page.dialog)}`]),
      ...listed(shown),
      ...(words.lines.length === 0 ? [] : ['text:', ...words.lines]),
    ],
    more: [
      ...(left === 0 ? [] : [`${left} more elements: look with from: ${from + shown.length}.`]),
      ...(words.next === undefined ? [] : [`The text goes on: look with text: ${words.next}.`]),
      ...(page.cut
        ? ['The page has more than a look can tell: scroll, or use extract with a selector.']
        : []),
    ],
    structured: { ...head, elements: shown.map(elementOf), left },
  };
}

function listed(elements: readonly Observed[]): readonly string[] {
  const below = elements.findIndex(({ in_view }) => !in_view);
  const lines = elements.map(lineOf);
  return below === -1 ? lines : [...lines.slice(0, below), 'not in view:', ...lines.slice(below)];
}

/** The text from a character on, and the index where it continues. */
function textOf({ text }: PageObservation, from: number, tokens: number) {
  const rest = text.slice(from);
  const some = beginning(rest, tokens);
  const whole = some.length === rest.length;
  // The last line is left for the next observation, where it may be complete.
  const end = whole ? some.length : Math.max(some.lastIndexOf('\n'), 0) || some.length;
  return { lines: linesOf(some.slice(0, end)), next: whole ? undefined : from + end };
}
