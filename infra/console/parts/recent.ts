import type { Place } from './places.ts';

const RECENT = 'console.recent';
const MOST = 8;

/** Recently opened pages of this tab, newest first. */
export const recentPlaces = (): readonly Place[] =>
  JSON.parse(sessionStorage.getItem(RECENT) ?? '[]') as readonly Place[];

export const forgetPlaces = (): void => sessionStorage.removeItem(RECENT);

/** Must be called by the page of a resource once its name is known. */
export function rememberPlace(place: Place): void {
  const others = recentPlaces().filter(({ href }) => href !== place.href);
  sessionStorage.setItem(RECENT, JSON.stringify([place, ...others].slice(0, MOST)));
}
