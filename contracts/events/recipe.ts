import { idSchema, toId, uuidOf } from '../ids.ts';
import {
  quotaEvents,
  recordAudit,
  recordTypes,
  type FieldsOf,
  type OpenField,
  type Stored,
} from '../record.ts';
import type { Recipe, RecipeContents } from '../resources/recipe.ts';
import { Type } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

const Index = Type.Integer({ minimum: 0 });
const fields = {
  agentSessionId: idSchema('agentSession'),
  archetype: Type.String(),
  fromIndex: Index,
  toIndex: Index,
  sourceHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  version: Type.Integer({ minimum: 1 }),
  /** A `RecipeBody` as JSON, sealed with the account's data key: typed texts and addresses may be personal. */
  sealedBody: Type.String(),
};
export type RecipeFields = FieldsOf<typeof fields>;

/** The name of the sealed field. */
export const recipeBody = 'recipe body';
export interface RecipeBody extends RecipeContents {
  readonly name: string;
  readonly description: string;
}

/** `recipe-<uuid>`: the steps of an agent session, saved to be run again with other values. */
export const recipeEvents = category('recipe', recordTypes('Recipe', 'recipe', fields), {
  retired: ['RecipeChanged'],
  audit: recordAudit<RecipeFields>('recipe', 'Recipe', ['version']),
});
export type RecipeEvent = EventOf<typeof recipeEvents>;

/** `account_recipes-<account uuid>`: the number of an account's recipes. Their names need not be unique. */
export const accountRecipesEvents = quotaEvents('account_recipes', 'Recipe', 'recipe');

/** A stored recipe with its body opened, as both APIs show it. */
export async function openedRecipe(
  { id, fields, createdAt, updatedAt }: Stored<RecipeFields>,
  open: OpenField,
): Promise<Recipe> {
  // Only this service seals the field, so its shape is known.
  const body = JSON.parse(await open(recipeBody, fields.sealedBody)) as RecipeBody;
  const { name, description, steps, parameters } = body;
  return {
    id: toId('recipe', uuidOf(id)),
    name,
    description,
    agent_session_id: fields.agentSessionId,
    archetype: fields.archetype,
    steps: [...steps],
    parameters: [...parameters],
    source: { from_index: fields.fromIndex, to_index: fields.toIndex },
    source_hash: fields.sourceHash,
    version: fields.version,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
