import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const audit: Area = {
  id: 'audit',
  pages: [{ path: '/audit', name: words.audit, load: async () => (await import('./audit.tsx')).Audit }],
};
