import type { Observation } from '../../../contracts/resources/observation.ts';
import { askBrowser } from '../browser.ts';
import type { RunningTurn } from './running-turn.ts';
import { hidden } from './secrets.ts';

/**
 * The page as a JPEG in base64, if a model wants it or the page has no text; null otherwise. Null too for a page with a hidden value, which
 * cannot be masked in a picture.
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

/** True for a canvas, or images without names. */
export const hasNothingToRead = ({ text, headings, elements, dialog }: Observation): boolean =>
  [text, ...headings, dialog ?? '', ...elements.flatMap(({ name, value = '' }) => [name, value])].every(
    (each) => each.trim() === '',
  );
