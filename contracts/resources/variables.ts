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
      description:
        'Whether the value is never stored, and is removed from all that is read back from a page.',
    }),
  ),
});

/** Values of a message. Only their names are sent to a model. */
export const Variables = Type.Record(VariableName, Variable, {
  maxProperties: mostVariables,
  additionalProperties: false,
  description:
    'Up to 50 named values that are typed without being shown to a model. The message may refer to them, as in ' +
    '"sign in with {email} and {password}". A step types one with `variable` instead of `text`; the value is inserted on the way to the browser.',
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
