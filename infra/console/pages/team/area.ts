import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const team: Area = {
  id: 'team',
  pages: [
    {
      path: '/team',
      name: words.team,
      isOwn: true,
      load: async () => (await import('./team.tsx')).Team,
    },
    {
      path: '/team/:id',
      name: words.membership,
      isOwn: true,
      load: async () => (await import('./member.tsx')).MemberPage,
    },
  ],
  ids: { mem_: '/team' },
};
