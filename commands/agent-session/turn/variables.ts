import type { FilledIntent, Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Variables } from '../../../contracts/resources/variables.ts';

type Interaction = Extract<Intent, { kind: 'interact' }>;
/** An intent that types the value of a variable of the user. */
export type TypesVariable = Interaction & {
  readonly action: Extract<Interaction['action'], { variable: string }>;
};

export const typesVariable = (intent: Intent): intent is TypesVariable =>
  intent.kind === 'interact' && 'variable' in intent.action;

/** The variable that it types; undefined if the message has none with that name. */
export const variableIn = (
  variables: Variables | null,
  { action: { variable } }: TypesVariable,
): Variables[string] | undefined =>
  variables !== null && Object.hasOwn(variables, variable) ? variables[variable] : undefined;

/** The intent with the variable's value; null if the message has none with that name. */
export function filledIntent(intent: Intent, variables: Variables | null): FilledIntent | null {
  if (!typesVariable(intent)) return intent as FilledIntent;
  const given = variableIn(variables, intent);
  if (given === undefined) return null;
  const { variable: _name, ...action } = intent.action;
  const { value: text, sensitive = true } = given;
  return { kind: intent.kind, action: { ...action, text, ...(sensitive && { sensitive }) } };
}

/** Why an intent is refused whose variable the message does not have. */
export const unknownVariable = (intent: Intent): string =>
  typesVariable(intent)
    ? `The message has no variable "${intent.action.variable}".`
    : 'The message has no such variable.';
