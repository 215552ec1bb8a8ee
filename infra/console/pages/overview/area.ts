import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';
import './styles.css';

export const overview: Area = {
  id: 'overview',
  pages: [{ path: '/', name: words.overview, load: async () => (await import('./overview.tsx')).Overview }],
};
