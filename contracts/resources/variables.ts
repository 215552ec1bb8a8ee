import { Type, closed, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';
import { actions } from './session.ts';

/** Maximum variables of one message. */
const mostVariables = 50;
/** Maximum characters of a value. */
const longestValue = 10_000;

export const VariableName = Type.String({ pattern: textForms.variableName.pattern });

const Variable = closed({
  value: Type.String({ maxLength: longestValue }),
  sensitive: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the value is kept nowhere, and taken out of whatever a page shows of it again.',
    }),
  ),
});

/** Values of a message, of which only the names are sent to a model. */
export const Variables = Type.Record(VariableName, Variable, {
  maxProperties: mostVariables,
  additionalProperties: false,
  description:
    'Values that are typed without a model knowing them, by their names: up to 50. The message may call them by name, as in ' +
    '"sign in with {email} and {password}". A step types one by `variable` in place of `text`; its value is put in on the way to the browser.',
});
export type Variables = Static<typeof Variables>;

type TypeText = Static<typeof actions.type>;
/** Types a variable's value; the variable declares whether it is sensitive. */
type TypeVariable = Omit<TypeText, 'text'> & { variable: string };

const { text, ...others } = actions.type.properties;
const form = closed(
  { ...others, text: Type.Optional(text), variable: Type.Optional(VariableName) },
  { oneOf: [{ required: ['text'] }, { required: ['variable'] }] },
);
/** An agent's action `type`: a text, or the name of a variable instead. */
export const typeTextOrVariable = Type.Unsafe<TypeText | TypeVariable>(form);
export const typeProperties = form.properties;
