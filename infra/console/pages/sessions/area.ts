import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';
import './styles.css';

export const sessions: Area = {
  id: 'sessions',
  pages: [
    { path: '/sessions', name: words.sessions, load: async () => (await import('./sessions.tsx')).Sessions },
    {
      path: '/sessions/:id',
      name: words.session,
      load: async () => (await import('./session.tsx')).SessionPage,
    },
  ],
  ids: { ses_: '/sessions' },
};
