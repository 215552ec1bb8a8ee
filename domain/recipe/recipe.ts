import {
  accountRecipesEvents,
  recipeEvents,
  type RecipeEvent,
  type RecipeFields,
} from '../../contracts/events/recipe.ts';
import type { Decider } from '../kit/decider.ts';
import { recordQuota } from '../kit/quota.ts';
import { noRecord, recordRules, type RecordCommand, type RecordState } from '../kit/record.ts';

/** A saved recipe: nothing of it changes until it is deleted. */
export const recipe: Decider<RecordState<RecipeFields>, RecordCommand<RecipeFields>, RecipeEvent> = {
  category: recipeEvents,
  initialState: noRecord,
  ...recordRules<'Recipe', RecipeFields>('Recipe'),
};

export const recipeQuota = recordQuota(accountRecipesEvents, 'Recipe', 'recipe');
