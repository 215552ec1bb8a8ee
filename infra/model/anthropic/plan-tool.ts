import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import type { ErrorObject } from 'ajv';
import { longestNote, type Intent, type Plan } from '../../../contracts/resources/agent-turn.ts';
import { typeProperties } from '../../../contracts/resources/variables.ts';
import { actions as ofSessions, conditions } from '../../../contracts/resources/session.ts';
import { elementTarget } from '../../../contracts/resources/target.ts';
import { Type, closed, oneOf, type Static } from '../../../contracts/schema.ts';
import { Intents, lazyValidator } from '../intents.ts';

const Text = Type.String({ minLength: 1, pattern: '\\S' });

const PlanInput = closed({
  decision: oneOf(['plan', 'clarify', 'refuse', 'answer'], {
    description:
      'Which of the others is given: plan: intents; clarify: question; refuse: reason; answer: answer.',
  }),
  intents: Type.Optional(Intents),
  question: Type.Optional(Text),
  reason: Type.Optional(Text),
  answer: Type.Optional(Text),
  read_back: Type.Optional(
    Type.Boolean({
      description:
        'With a plan: true when the message asks something that only the page can answer after it.',
    }),
  ),
  after: Type.Optional(
    oneOf(['done', 'look'], {
      description:
        'With a plan: done (the default) when nothing is left to do once it is carried out; look to be asked again with the page as it is then.',
    }),
  ),
  note: Type.Optional(
    Type.String({
      description: `With look: for yourself, up to ${longestNote} characters: what was found, what is left.`,
    }),
  ),
  picture: Type.Optional(
    Type.Boolean({
      description:
        'With look: true to be shown a picture of the page, where text does not say what it shows.',
    }),
  ),
  secrets: Type.Optional(
    Type.Array(Text, {
      description:
        'With every decision: the secrets of the message (passwords, codes, card numbers), each as it stands there, typed or not; [] if it has none.',
    }),
  ),
});
type PlanInput = Static<typeof PlanInput>;

export const planToolName = 'plan';

/** The one tool that a model must use. A decision without `secrets` is valid all the same. */
export const planTool = (): Tool => ({
  name: planToolName,
  description: `Says what is to be done with the message. ${fieldsOf('action', actions)} ${fieldsOf('condition', conditions)}`,
  input_schema: { ...concise(PlanInput), type: 'object', required: ['decision', 'secrets'] },
  cache_control: { type: 'ephemeral' },
});

/** The actions for models: `type` may have a variable instead of its text. */
const actions = { ...ofSessions, type: { ...ofSessions.type, properties: typeProperties } };

type Kinds = Readonly<Record<string, { readonly properties: object; readonly required?: readonly string[] }>>;

/**
 * The schema as sent. Each call pays for all of it, so the unions of actions and of conditions, whose members are similar, become
 * one object each; answers are validated by the exact schema.
 */
function concise(schema: object): Record<string, unknown> {
  const merged = { action: oneObject(actions), condition: oneObject(conditions) };
  const isUnion = (key: string): key is keyof typeof merged => key in merged;
  return brief(schema, (key, value) => (isUnion(key) && isRecord(value) ? merged[key] : value));
}

/** Limits that no reasonable plan reaches. */
const unsaid = new Set(['discriminator', 'default', 'minLength', 'maxLength', 'minimum', 'maximum']);

function brief(
  schema: unknown,
  replace: (key: string, value: unknown) => unknown = (_, value) => value,
): Record<string, unknown> {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    unsaid.has(key) ? undefined : replace(key, value),
  );
  return JSON.parse(text) as Record<string, unknown>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Merges the properties of all kinds; a property that differs between them may have any of the forms. */
function oneObject(kinds: Kinds): object {
  const forms = new Map<string, Map<string, unknown>>();
  for (const [name, form] of Object.values(kinds).flatMap(({ properties }) => Object.entries(properties))) {
    const same = forms.get(name) ?? new Map<string, unknown>();
    forms.set(name, same.set(JSON.stringify(brief(form)), form));
  }
  const properties = [...forms].map(([name, same]): [string, unknown] => {
    const anyOf = [...same.values()];
    return [name, anyOf.length === 1 ? anyOf[0] : { anyOf }];
  });
  const kind = { type: 'string', enum: Object.keys(kinds) };
  return {
    type: 'object',
    required: ['kind'],
    properties: { ...Object.fromEntries(properties), kind },
    additionalProperties: false,
  };
}

const ofTarget = Object.keys(elementTarget);

/** The fields of each kind, in a sentence: `TARGET` is an element, named in one of the ways. */
function fieldsOf(name: string, kinds: Kinds): string {
  const each = Object.entries(kinds).map(([kind, { properties, required = [] }]) => {
    const names = Object.keys(properties).filter((field) => field !== 'kind');
    const isNamed = names.includes('label');
    const fields = names
      .filter((field) => required.includes(field) || !(isNamed && ofTarget.includes(field)))
      .map((field) => (required.includes(field) ? field : `${field}?`));
    return `${kind}(${[...(isNamed ? ['TARGET'] : []), ...fields].join(', ')})`;
  });
  return `Kinds of ${name}: ${each.join(', ')}.`;
}

const isPlanInput = lazyValidator<PlanInput>(PlanInput, { allErrors: true });

/** A plan, or the errors of an invalid one. */
export type ReadPlan = { readonly plan: Plan } | { readonly fault: string };

export function readPlan(input: unknown): ReadPlan {
  const validate = isPlanInput();
  if (!validate(input)) return { fault: faultsOf(validate.errors ?? []) };
  const { decision, intents, question, reason, answer, secrets } = input;
  const marked = secrets && { secrets };
  switch (decision) {
    case 'plan':
      return intents ? { plan: { ...planned(intents, input), ...marked } } : missing(decision, 'intents');
    case 'clarify':
      return question ? { plan: { decision, question, ...marked } } : missing(decision, 'question');
    case 'refuse':
      return reason ? { plan: { decision, reason, ...marked } } : missing(decision, 'reason');
    case 'answer':
      return answer ? { plan: { decision, answer, ...marked } } : missing(decision, 'answer');
  }
}

function planned(
  intents: Intent[],
  { read_back: readBack = false, after, note, picture = false }: PlanInput,
): Extract<Plan, { decision: 'plan' }> {
  return {
    ...{ decision: 'plan', intents, readBack },
    ...(after === 'look' && { after }),
    ...(after === 'look' && picture && { picture }),
    ...(note !== undefined && { note: note.slice(0, longestNote) }),
  };
}

const missing = (decision: string, name: string): ReadPlan => ({
  fault: `The decision "${decision}" needs \`${name}\`.`,
});

/** Maximum length of the errors reported to a model, in characters. */
const longestFault = 1500;

/** Only errors of the union's branch for the given `kind`. */
function faultsOf(errors: readonly ErrorObject[]): string {
  const isOfAnother = ({ keyword, schemaPath }: ErrorObject) =>
    keyword === 'const' && schemaPath.endsWith('/kind/const');
  const others = errors.filter(isOfAnother).map(({ schemaPath, instancePath }) => ({
    branch: schemaPath.replace(/properties\/kind\/const$/, ''),
    at: instancePath.replace(/\/kind$/, ''),
  }));
  const meant = errors.filter(
    ({ keyword, schemaPath, instancePath }) =>
      keyword !== 'anyOf' &&
      !others.some(({ branch, at }) => schemaPath.startsWith(branch) && instancePath.startsWith(at)),
  );
  const shown = meant.length > 0 ? meant : errors.filter(({ keyword }) => keyword === 'anyOf');
  const texts = shown.map(({ instancePath, keyword, message = '' }) =>
    keyword === 'anyOf' ? `${instancePath || '/'} has no known kind` : `${instancePath || '/'} ${message}`,
  );
  return [...new Set(texts)].join('; ').slice(0, longestFault);
}
