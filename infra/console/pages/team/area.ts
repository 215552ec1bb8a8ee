import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const team: Area = {
  id: 'team',
  pages: [
    { path: '/team', name: words.team, load: async () => (await import('./team.tsx')).Team },
    {
      path: '/team/:id',
      name: words.membership,
      load: async () => (await import('./member.tsx')).MemberPage,
    },
  ],
  ids: { mem_: '/team' },
};
