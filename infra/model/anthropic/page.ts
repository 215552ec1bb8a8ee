import type { Observation, ObservedElement } from '../../../contracts/resources/observation.ts';

/** Maximum characters of a page in a prompt: some five thousand tokens. */
const longestPage = 20_000;
/** Minimum share of headings and text, if elements would take everything. */
const keptForText = 4000;

interface Description {
  /** Maximum characters. */
  readonly budget?: number;
  /** The previous observation, to mark new parts. */
  readonly before?: Observation | null;
}

/**
 * A page for a model: a line per element, those in the viewport first, then headings and text, up to a budget. If the page was
 * observed before, new lines start with a plus sign.
 */
export function describePage(
  page: Observation,
  { budget = longestPage, before = null }: Description = {},
): string {
  const isKnown = before?.url === page.url ? linesOf(before) : undefined;
  const mark = (line: string, known: string): string =>
    isKnown === undefined || isKnown.has(known) ? line : `+ ${line}`;
  const elementLine = (element: ObservedElement) => mark(lineOf(element), nameOf(element));
  const textLine = (line: string) => mark(line, line);
  const head = [
    `address: ${oneLine(page.url, 2000)}`,
    `title: ${oneLine(page.title, 300)}`,
    `scrolled: ${Math.round(page.scroll.y)} of ${Math.round(page.scroll.height)}, ${Math.round(page.scroll.view)} in view`,
    ...(page.dialog === null ? [] : [`dialog: ${oneLine(page.dialog, 500)}`]),
  ];
  const inView = page.elements.filter(({ in_view: isInView }) => isInView);
  const others = page.elements.filter(({ in_view: isInView }) => !isInView);
  const elements = fitting(budget - keptForText, [
    ...section('elements in view:', inView.map(elementLine)),
    ...section('elements out of view:', others.map(elementLine)),
  ]);
  const left = budget - lengthOf(head) - lengthOf(elements.lines);
  const texts = fitting(left, [
    ...section(
      'headings:',
      page.headings.map((heading) => textLine(oneLine(heading, 300))),
    ),
    ...section('text:', page.text.split('\n').map(textLine)),
  ]);
  const isCut = page.cut || elements.isCut || texts.isCut;
  return [...head, ...elements.lines, ...texts.lines, ...(isCut ? ['(the rest is left out)'] : [])].join(
    '\n',
  );
}

/** Identifies lines across observations, whose refs differ. */
const linesOf = ({ elements, headings, text }: Observation): ReadonlySet<string> =>
  new Set([
    ...elements.map(nameOf),
    ...headings.map((heading) => oneLine(heading, 300)),
    ...text.split('\n'),
  ]);

const lineOf = (element: ObservedElement): string => `[${element.ref}] ${nameOf(element)}`;

/** Maximum characters of the options of one list. */
const longestOptions = 600;

const nameOf = ({ role, name, value, states = [], options = [] }: ObservedElement): string =>
  [
    `${role} ${JSON.stringify(oneLine(name, 300))}`,
    ...(value === undefined ? [] : [`= ${JSON.stringify(oneLine(value, 300))}`]),
    ...(states.length === 0 ? [] : [`(${states.join(', ')})`]),
    ...(options.length === 0 ? [] : [`of ${optionsOf(options)}`]),
  ].join(' ');

const optionsOf = (options: readonly string[]): string =>
  options
    .map((option) => JSON.stringify(oneLine(option, 100)))
    .join(', ')
    .slice(0, longestOptions);

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines];

export const oneLine = (text: string, longest: number): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, longest).toWellFormed();

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The first lines that fit, and the beginning of the next one. */
function fitting(
  budget: number,
  lines: readonly string[],
): { readonly lines: string[]; readonly isCut: boolean } {
  const kept: string[] = [];
  let left = budget;
  for (const line of lines) {
    if (line.length >= left) return { lines: [...kept, line.slice(0, Math.max(0, left))], isCut: true };
    kept.push(line);
    left -= line.length + 1;
  }
  return { lines: kept, isCut: false };
}
