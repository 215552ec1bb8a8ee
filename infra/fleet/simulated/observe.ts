import {
  longestObservedText,
  type Observation,
  type ObservedElement,
} from '../../../contracts/resources/observation.ts';
import type { SimulatedElement } from './site.ts';
import type { Tab } from './tab.ts';
import { roleOf } from './targets.ts';

const isControl = ({ hidden, href, submits, field }: SimulatedElement): boolean =>
  !hidden && (href !== undefined || submits === true || field !== undefined);

/** Observation of a simulated page, all of which is in view. */
export function observe(tab: Tab): Observation {
  const { title, elements } = tab.page;
  const shown = elements.filter(({ hidden }) => !hidden);
  const text = shown.map((element) => element.text ?? '').filter((each) => each !== '');
  const refs = tab.giveRefs(shown.filter(isControl));
  return {
    ...{ url: tab.url, title },
    scroll: { y: 0, height: 844, view: 844 },
    links: [...refs].flatMap(([, { href }]) => (href === undefined ? [] : [new URL(href, tab.url).href])),
    elements: [...refs].map(([ref, element]) => observed(tab, ref, element)),
    headings: shown.filter(({ selectors }) => selectors.includes('h1')).map((element) => element.text ?? ''),
    text: text.join('\n').slice(0, longestObservedText),
    cut: false,
    dialog: null,
  };
}

function observed(tab: Tab, ref: string, element: SimulatedElement): ObservedElement {
  const { text = '', field } = element;
  const isTold = field !== undefined && field !== 'password' && !tab.isSecret(element);
  return {
    ...{ ref, role: roleOf(element), name: text, in_view: true },
    ...(isTold && { value: tab.value(element).slice(0, 300) }),
  };
}
