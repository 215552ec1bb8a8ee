import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const requests: Area = {
  pages: [
    {
      path: '/requests/:id',
      name: words.request,
      load: async () => (await import('./request.tsx')).RequestPage,
    },
  ],
  ids: { req_: '/requests' },
};
