import { presentRecipe, recipeBody, type RecipeBody } from '../contracts/events/recipe.ts';
import { refuse } from '../contracts/problems.ts';
import type { Recipe } from '../contracts/resources/recipe.ts';
import type { Vault } from '../infra/vault/index.ts';
import { recipes, recipeIn } from '../projections/read-models/recipe.ts';
import { recordStatements } from '../projections/queries/record.ts';
import type { RecordRow } from '../projections/engine/record-read-model.ts';
import type { Pages } from './engine/paging.ts';
import { showOne, type Read } from './engine/reading.ts';

/** The recipes of an account. What is sealed of them is opened as they are shown. */
export const recipeReads = (read: Read, { list }: Pages, vault: Pick<Vault, 'open'>) => {
  const statements = recordStatements(recipes.name);
  const show = async (row: RecordRow): Promise<Recipe> => {
    const saved = recipeIn(row);
    const opened = await vault.open(saved.accountId, recipeBody, saved.fields.sealedBody);
    if ('erased' in opened) throw refuse('not-found');
    // Only this service seals for the field.
    return presentRecipe(saved, JSON.parse(opened.text) as RecipeBody);
  };
  return {
    'recipes.list': list('recipes.list', statements.list, show),
    'recipes.get': showOne(read, 'recipe', statements.one, show),
  };
};
