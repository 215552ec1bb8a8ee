import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const overview: Area = {
  id: 'overview',
  pages: [{ path: '/', name: words.overview, load: async () => (await import('./overview.tsx')).Overview }],
};
