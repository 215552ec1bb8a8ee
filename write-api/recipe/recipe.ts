import type { AgentSessionCommands } from '../../commands/agent-session/index.ts';
import type { RecipeCommands } from '../../commands/recipe/index.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

/** The route that suggests a recipe from an agent session. */
export const recipeHandlers = (
  recipes: RecipeCommands,
  agents: Pick<AgentSessionCommands, 'find'>,
  { answeringOn }: Handling,
): HandlersOf<'agent-sessions.recipe-suggestion'> => ({
  'agent-sessions.recipe-suggestion': answeringOn((caller, id) => agents.find(caller, id))(
    async ({ found }) => {
      const { suggestion, reason } = await recipes.suggest(found);
      return { body: { suggestion, ...(reason !== undefined && { reason }) } };
    },
  ),
});
