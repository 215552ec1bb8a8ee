import { idSchema } from '../ids.ts';
import { Type, Timestamp, closed, oneOf, requestBody, type Static } from '../schema.ts';
import { intents, longestPlan } from './agent-turn.ts';
import { MetElement } from './target.ts';
import { VariableName } from './variables.ts';
import { textForms } from '../text-forms.ts';

/** Maximum recipes of an account. */
export const recipesPerAccount = 500;

/** Maximum size of a recipe's steps and parameters as JSON, and of its steps with the values of a run, in bytes. The plan of a run has both. */
export const mostContentsBytes = 256 * 1024;

/** As names of variables, because a recipe turns a message's variables into parameters. */
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
    /** For an action on an element: how to find it if the selector matches nothing. */
    target: Type.Optional(MetElement),
  },
  { additionalProperties: true },
);
/** An intent in which any value may be a `Placeholder`. Validated as an intent once its placeholders are filled. */
export type RecipeStep = Static<typeof step> & Readonly<Record<string, unknown>>;
export const RecipeStep = Type.Unsafe<RecipeStep>(step);

export const parameterTypes = ['string', 'boolean'] as const;
export type ParameterValue = string | boolean;
export const RecipeParameter = closed({
  name: ParameterName,
  type: oneOf(parameterTypes),
  /** Its value is not stored, so it has no default. */
  sensitive: Type.Boolean(),
  /** Without a default, each run must give a value. */
  default: Type.Optional(Type.Union([Type.String(), Type.Boolean()])),
});
export type RecipeParameter = Static<typeof RecipeParameter>;

const contents = {
  steps: Type.Array(RecipeStep),
  parameters: Type.Array(RecipeParameter),
};
const origin = {
  /** Indexes of the transcript's entries, the last one included. */
  source: closed({ from_index: Type.Integer({ minimum: 0 }), to_index: Type.Integer({ minimum: 0 }) }),
  /** SHA-256 over the events of the source agent session, hex. */
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
      /** Number of executed steps that cannot be repeated: uploads, tabs, elements that exist only on that page. */
      omitted: Type.Integer({ minimum: 0 }),
    }),
    Type.Null(),
  ]),
  reason: Type.Optional(Type.String()),
});
export type RecipeSuggestion = Static<typeof RecipeSuggestion>;

export const CreateRecipe = requestBody({
  /** An agent session of the caller's own account, or of one on whose team the caller is an admin. */
  agent_session_id: Type.String({ maxLength: 64, description: '`agt_<uuid>`' }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: textForms.notBlank.pattern })),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  steps: Type.Optional(
    Type.Array(RecipeStep, {
      ...{ minItems: 1, maxItems: longestPlan },
      description: 'Default: the suggested ones. At most 256 KiB as JSON in UTF-8, with their parameters.',
    }),
  ),
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
