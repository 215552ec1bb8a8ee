import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const keys: Area = {
  id: 'keys',
  pages: [
    { path: '/keys', name: words.keys, load: async () => (await import('./keys.tsx')).Keys },
    { path: '/keys/:id', name: words.key, load: async () => (await import('./key.tsx')).KeyPage },
  ],
  ids: { key_: '/keys' },
};
