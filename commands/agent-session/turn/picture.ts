import type { Observation } from '../../../contracts/resources/observation.ts';
import { askBrowser } from '../browser.ts';
import type { RunningTurn } from './running-turn.ts';
import { hidden } from './secrets.ts';

/**
 * The page as it looks, a JPEG in base64, where a model wants it or the page has nothing to read; null without one. A page that shows a value
 * that is hidden is not shown: what a picture says in letters cannot be taken out of it.
 */
export async function pictureOf(
  { ports, session, hidden: values }: RunningTurn,
  page: Observation | null,
  isWanted = false,
): Promise<string | null> {
  if (!ports.settings.pictures || page === null || page.url.startsWith('about:')) return null;
  if (!isWanted && !hasNothingToRead(page)) return null;
  if (values.length > 0 && JSON.stringify(page).includes(hidden)) return null;
  const answer = await askBrowser(ports, session, 'picture', null, { cached: true });
  return answer.status === 'ok' ? answer.result.data : null;
}

/** A canvas, or images that are called nothing. */
export const hasNothingToRead = ({ text, headings, elements, dialog }: Observation): boolean =>
  [text, ...headings, dialog ?? '', ...elements.flatMap(({ name, value = '' }) => [name, value])].every(
    (each) => each.trim() === '',
  );
