import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

/** The page that a shared live-view link opens. */
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
