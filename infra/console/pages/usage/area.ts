import './styles.css';
import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const usage: Area = {
  id: 'usage',
  pages: [{ path: '/usage', name: words.usage, load: async () => (await import('./usage.tsx')).UsagePage }],
};
