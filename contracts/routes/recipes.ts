import * as recipe from '../resources/recipe.ts';
import type { Route } from '../route.ts';
import { params as ofAgentSession } from './agent-session-rows.ts';
import { area, created, idParam, noContent, ok, sessionReadScopes } from './rows.ts';

const { write, list, detail } = area({
  tag: 'Recipes',
  reads: ['read'],
  writes: ['write'],
  accountHeader: 'ignored',
});
const params = idParam('`rec_<uuid>`');

/** Suggestions of recipes from agent sessions. */
export const recipeSuggestionRoutes = [
  // Served by write-api, because it reads the event log, which read-api does only for transcripts.
  write('GET /v1/agent-sessions/{id}/recipe-suggestion', 'agent-sessions.recipe-suggestion', {
    summary: 'Preview a recipe of this agent session; nothing is saved',
    scopes: sessionReadScopes,
    bucket: 'default:read',
    answersHead: true,
    accountHeader: 'honored',
    params: ofAgentSession,
    success: ok(recipe.RecipeSuggestion, 'The suggestion, or why there is none.'),
    problems: ['not-found'],
  }),
] as const satisfies readonly Route[];

/** Recipes: recorded steps of agents, to be repeated. Always of the caller's own account, even when acting on a team. */
export const recipeRoutes = [
  write('POST /v1/recipes', 'recipes.create', {
    summary: 'Save a recipe of an agent session',
    body: recipe.CreateRecipe,
    success: created(recipe.Recipe, 'The recipe.'),
    problems: ['not-found', 'conflict', 'tier-limit'],
  }),
  list('/v1/recipes', 'recipes.list', recipe.Recipe, 'recipes'),
  ...detail('/v1/recipes/{id}', 'recipes', recipe.Recipe, 'recipe', { params }),
  write('DELETE /v1/recipes/{id}', 'recipes.delete', {
    summary: 'Delete a recipe',
    params,
    success: noContent('The recipe is deleted.'),
    problems: ['not-found'],
  }),
] as const satisfies readonly Route[];
