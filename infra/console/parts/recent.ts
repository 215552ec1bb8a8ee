import type { Place } from './places.ts';

const RECENT = 'console.recent';
const MOST = 8;

/** What was opened lately in this tab, the newest first. */
export const recentPlaces = (): readonly Place[] =>
  JSON.parse(sessionStorage.getItem(RECENT) ?? '[]') as readonly Place[];

/** To be called by the page of a resource once it is known what it shows. */
export function rememberPlace(place: Place): void {
  const others = recentPlaces().filter(({ href }) => href !== place.href);
  sessionStorage.setItem(RECENT, JSON.stringify([place, ...others].slice(0, MOST)));
}
