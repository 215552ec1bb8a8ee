import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const recipes: Area = {
  id: 'recipes',
  pages: [
    {
      path: '/recipes',
      name: words.recipes,
      isOwn: true,
      load: async () => (await import('./recipes.tsx')).Recipes,
    },
    {
      path: '/recipes/:id',
      name: words.recipe,
      isOwn: true,
      load: async () => (await import('./recipe.tsx')).RecipePage,
    },
  ],
  ids: { rec_: '/recipes' },
};
