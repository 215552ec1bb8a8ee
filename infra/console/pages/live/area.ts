import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

/** Where a link to the live view leads. */
export const live: Area = {
  pages: [
    {
      path: '/live',
      name: words.live,
      load: async () => (await import('./live.tsx')).LivePage,
      isOpen: true,
    },
  ],
};
