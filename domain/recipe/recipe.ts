import type { RecipeEvent, RecipeFields } from '../../contracts/events/recipe.ts';
import { recipes } from '../../contracts/records.ts';
import { recordNoun, type RecordNoun } from '../kit/record.ts';

/** Saved recipes, immutable until they are deleted. */
export const recipeNoun: RecordNoun<RecipeFields, never, RecipeEvent> = recordNoun<'Recipe', RecipeFields>(
  'Recipe',
  recipes,
);
