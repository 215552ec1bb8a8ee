import type { FilledIntent, Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Variables } from '../../../contracts/resources/variables.ts';

type Interaction = Extract<Intent, { kind: 'interact' }>;
/** An intent whose text is the value of a variable: words of the user's own. */
export type TypesVariable = Interaction & {
  readonly action: Extract<Interaction['action'], { variable: string }>;
};

export const typesVariable = (intent: Intent): intent is TypesVariable =>
  intent.kind === 'interact' && 'variable' in intent.action;

/** The variable that it types; undefined if the message has none of that name. */
export const variableIn = (
  variables: Variables | null,
  { action: { variable } }: TypesVariable,
): Variables[string] | undefined =>
  variables !== null && Object.hasOwn(variables, variable) ? variables[variable] : undefined;

/** With the value in the place of a variable; null if the message has none of that name. */
export function filledIntent(intent: Intent, variables: Variables | null): FilledIntent | null {
  if (!typesVariable(intent)) return intent as FilledIntent;
  const given = variableIn(variables, intent);
  if (given === undefined) return null;
  const { variable: _name, ...action } = intent.action;
  const { value: text, sensitive = true } = given;
  return { kind: intent.kind, action: { ...action, text, ...(sensitive && { sensitive }) } };
}

/** Why an intent that no variable of the message fits is not carried out. */
export const unknownVariable = (intent: Intent): string =>
  typesVariable(intent)
    ? `The message has no variable "${intent.action.variable}".`
    : 'The message has no such variable.';
