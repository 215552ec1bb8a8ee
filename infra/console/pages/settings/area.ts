import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const settings: Area = {
  id: 'settings',
  pages: [
    {
      path: '/settings/second-factor',
      name: words.secondFactor,
      load: async () => (await import('./second-factor.tsx')).SecondFactor,
    },
  ],
};
