import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

/** What links to the live view lead to. */
export const live: Area = {
  pages: [
    { path: '/live', name: words.title, isOpen: true, load: async () => (await import('./live.tsx')).Live },
  ],
};
