import type { RecipeEvent, RecipeFields } from '../../contracts/events/recipe.ts';
import { recipes } from '../../contracts/records.ts';
import type { Decider } from '../kit/decider.ts';
import { recordQuota } from '../kit/quota.ts';
import {
  noRecord,
  recordRules,
  type RecordCommand,
  type RecordNoun,
  type RecordState,
} from '../kit/record.ts';

/** A saved recipe: nothing of it changes until it is deleted. */
export const recipe: Decider<RecordState<RecipeFields>, RecordCommand<RecipeFields>, RecipeEvent> = {
  category: recipes.events,
  initialState: noRecord,
  ...recordRules<'Recipe', RecipeFields>('Recipe'),
};

export const recipeNoun: RecordNoun<RecipeFields, never, RecipeEvent> = {
  contract: recipes,
  record: recipe,
  quota: recordQuota(recipes.quota, 'Recipe', 'recipe'),
  nameOf: () => null,
};
