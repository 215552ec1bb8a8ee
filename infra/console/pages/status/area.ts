import './styles.css';
import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const status: Area = {
  id: 'status',
  pages: [
    {
      path: '/status',
      name: words.status,
      load: async () => (await import('./status.tsx')).StatusPage,
      isOpen: true,
    },
    {
      path: '/status/incidents/:id',
      name: words.incident,
      load: async () => (await import('./incident-page.tsx')).IncidentPage,
      isOpen: true,
    },
  ],
  ids: { inc_: '/status/incidents' },
};
