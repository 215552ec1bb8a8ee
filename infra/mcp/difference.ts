import type { PageObservation } from '../../contracts/client/index.ts';
import { costOf, elementOf, headOf, lineOf, linesOf, type ShownElement } from './page.ts';
import { firstThatFit, tokensOf } from './tokens.ts';
import { oneLine } from './words.ts';

/** Maximum tokens of the changes; the rest of an answer to `act` is short. */
const budget = { elements: 210, text: 60 };

export interface Difference {
  /** Words of the page. */
  readonly lines: readonly string[];
  /** Words of the service. */
  readonly more: readonly string[];
  readonly structured: {
    readonly url: string;
    readonly title: string;
    /** New and changed elements. */
    readonly elements: readonly ShownElement[];
    readonly gone: number;
  };
}

/**
 * New (`+`) and changed (`~`) elements of a page, and the number of removed ones. Refs stay those of the previous observation.
 */
export function difference(before: PageObservation | undefined, after: PageObservation): Difference {
  const known = new Map((before?.elements ?? []).map((element) => [element.ref, stateOf(element)]));
  const now = new Set(after.elements.map(({ ref }) => ref));
  const changed = after.elements.filter((element) => known.get(element.ref) !== stateOf(element));
  const shown = firstThatFit(changed, budget.elements, costOf);
  const gone = [...known.keys()].filter((ref) => !now.has(ref)).length;
  const earlier = new Set(linesOf(before?.text ?? ''));
  const fresh = linesOf(after.text).filter((line) => !earlier.has(line));
  const short = fresh.map((line) => oneLine(line, 120));
  const words = firstThatFit(short, budget.text, tokensOf);
  const place = placeOf(before, after);
  const left = { elements: changed.length - shown.length, lines: fresh.length - words.length };
  return {
    lines: [
      ...place,
      ...shown.map((element) => `${known.has(element.ref) ? '~' : '+'} ${lineOf(element)}`),
      ...words.map((line) => `+ ${line}`),
    ],
    more: moreOf({ gone, left, isSame: [...place, ...changed, ...fresh].length + gone === 0 }),
    structured: { ...headOf(after), elements: shown.map(elementOf), gone },
  };
}

/** The parts of the browser's location that changed. */
function placeOf(before: PageObservation | undefined, after: PageObservation): readonly string[] {
  const { url, title } = headOf(after);
  const parts = [
    [before?.url, after.url, `address: ${url}`],
    [before?.title, after.title, `title: ${title}`],
    [before?.dialog ?? null, after.dialog, `dialog: ${oneLine(after.dialog ?? 'none')}`],
  ] as const;
  return parts.flatMap(([was, is, line]) => (was === is ? [] : [line]));
}

interface Rest {
  readonly gone: number;
  readonly left: { readonly elements: number; readonly lines: number };
  readonly isSame: boolean;
}

function moreOf({ gone, left, isSame }: Rest): readonly string[] {
  if (isSame) return ['Nothing that can be seen has changed.'];
  const hasMore = left.elements + left.lines > 0;
  return [
    ...(gone === 0 ? [] : [`${gone} elements are gone.`]),
    ...(hasMore ? [`More has changed (${left.elements} elements, ${left.lines} lines): look.`] : []),
  ];
}

const stateOf = ({ value = '', states = [], role, name }: PageObservation['elements'][number]): string =>
  JSON.stringify([role, name, value, states]);
