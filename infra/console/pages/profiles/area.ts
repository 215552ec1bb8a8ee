import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const profiles: Area = {
  id: 'profiles',
  pages: [
    { path: '/profiles', name: words.profiles, load: async () => (await import('./profiles.tsx')).Profiles },
    { path: '/profiles/trash', name: words.trash, load: async () => (await import('./trash.tsx')).Trash },
    {
      path: '/profiles/:id',
      name: words.profile,
      load: async () => (await import('./profile.tsx')).ProfilePage,
    },
    {
      path: '/profile-snapshots/:id',
      name: words.oneSnapshot,
      load: async () => (await import('./snapshot.tsx')).SnapshotPage,
    },
  ],
  ids: { prof_: '/profiles', psnap_: '/profile-snapshots' },
};
