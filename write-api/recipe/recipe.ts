import type { AgentSessionCommands } from '../../commands/agent-session/index.ts';
import type { RecipeCommands } from '../../commands/recipe/index.ts';
import { presentRecipe } from '../../contracts/events/recipe.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type RecipeRoutes = 'agent-sessions.recipe-suggestion' | 'recipes.create' | 'recipes.delete';

/** The routes that suggest, save and delete recipes. */
export function recipeHandlers(
  recipes: RecipeCommands,
  agents: Pick<AgentSessionCommands, 'find'>,
  { answering, answeringOn }: Handling,
): HandlersOf<RecipeRoutes> {
  const onAgentSession = answeringOn((caller, id) => agents.find(caller, id));
  const onEvenDeleted = answeringOn(({ accountId }, id) => recipes.findEvenDeleted(accountId, id));
  return {
    'agent-sessions.recipe-suggestion': onAgentSession(async ({ found }) => {
      const { suggestion, reason } = await recipes.suggest(found);
      return { body: { suggestion, ...(reason !== undefined && { reason }) } };
    }),
    'recipes.create': answering(async ({ caller, body }) => {
      const { record, opened, position } = await recipes.create(caller, body);
      return { body: presentRecipe(record, opened), position };
    }),
    'recipes.delete': onEvenDeleted(async ({ caller, found }) => ({
      position: await recipes.delete(found, caller.context),
    })),
  };
}
