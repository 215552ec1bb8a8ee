import { idSchema } from '../ids.ts';
import { Type, Timestamp, closed, oneOf, requestBody, type Static } from '../schema.ts';
import { intents, longestPlan } from './agent-turn.ts';
import { MetElement } from './target.ts';
import { VariableName } from './variables.ts';
import { textForms } from '../text-forms.ts';

/** Recipes an account may have. */
export const recipesPerAccount = 500;

/** The rules of variables' names, because a recipe turns variables of a message into parameters. */
const ParameterName = VariableName;

/** A placeholder for a parameter's value, with the constant text around it. */
export const Placeholder = closed({
  parameter: ParameterName,
  before: Type.Optional(Type.String({ maxLength: 2000 })),
  after: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type Placeholder = Static<typeof Placeholder>;

const step = Type.Object(
  {
    kind: oneOf(Object.keys(intents) as [keyof typeof intents, ...(keyof typeof intents)[]]),
    /** Of an action on an element: how it is found when the selector finds nothing any more. */
    target: Type.Optional(MetElement),
  },
  { additionalProperties: true },
);
/** An intent in which any value may be a `Placeholder`. After its placeholders are filled it is validated as an intent. */
export type RecipeStep = Static<typeof step> & Readonly<Record<string, unknown>>;
export const RecipeStep = Type.Unsafe<RecipeStep>(step);

export const parameterTypes = ['string', 'boolean'] as const;
export type ParameterValue = string | boolean;
export const RecipeParameter = closed({
  name: ParameterName,
  type: oneOf(parameterTypes),
  /** Its value is kept nowhere, so it has no default. */
  sensitive: Type.Boolean(),
  /** Without one, each run gives a value. */
  default: Type.Optional(Type.Union([Type.String(), Type.Boolean()])),
});
export type RecipeParameter = Static<typeof RecipeParameter>;

const contents = {
  steps: Type.Array(RecipeStep),
  parameters: Type.Array(RecipeParameter),
};
const origin = {
  /** Entries of the transcript, the last one included. */
  source: closed({ from_index: Type.Integer({ minimum: 0 }), to_index: Type.Integer({ minimum: 0 }) }),
  /** SHA-256 over the events of the agent session that it came from, in hexadecimal digits. */
  source_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
};
export type RecipeContents = Static<ReturnType<typeof closed<typeof contents>>>;

export const RecipeSuggestion = closed({
  /** Null if there is no recipe to suggest; `reason` says why. */
  suggestion: Type.Union([
    closed({
      agent_session_id: idSchema('agentSession'),
      ...contents,
      ...origin,
      /**
       * Number of steps that were carried out and cannot be repeated: uploads, tabs, elements that only that page had.
       */
      omitted: Type.Integer({ minimum: 0 }),
    }),
    Type.Null(),
  ]),
  reason: Type.Optional(Type.String()),
});
export type RecipeSuggestion = Static<typeof RecipeSuggestion>;

export const CreateRecipe = requestBody({
  /** Of the caller's own account, or of one on whose team the caller is an admin. */
  agent_session_id: Type.String({ maxLength: 64, description: '`agt_<uuid>`' }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: textForms.notBlank.pattern })),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  /** By default, those of the suggestion. */
  steps: Type.Optional(Type.Array(RecipeStep, { minItems: 1, maxItems: longestPlan })),
});
export type CreateRecipe = Static<typeof CreateRecipe>;

export const Recipe = closed({
  id: idSchema('recipe'),
  name: Type.String(),
  description: Type.String(),
  agent_session_id: idSchema('agentSession'),
  archetype: Type.String(),
  ...contents,
  ...origin,
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Recipe = Static<typeof Recipe>;
