import type { RecipeFields } from '../../contracts/events/recipe.ts';
import type { Stored } from '../../contracts/record.ts';
import { recipe } from '../../domain/recipe/recipe.ts';
import { recordReadModel, storedIn, type RecordRow } from '../engine/record-read-model.ts';

/** Recipes, their bodies sealed until they are shown. */
export const recipes = recordReadModel('recipes', 'recipe', recipe, (saved) => saved);

export const recipeIn = (row: RecordRow): Stored<RecipeFields> => storedIn<RecipeFields>(row);
