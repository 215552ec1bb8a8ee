import { idKinds, idPrefixes, type IdKind } from '../ids.ts';
import { AsOfQuery, HistoryQuery } from '../resources/history.ts';
import type { Route } from '../routes/index.ts';
import { ListQuery } from '../routes/rows.ts';
import { Type, type TSchema } from '../schema.ts';
import { textForms } from '../text-forms.ts';
import { referenceTo, type Json, type JsonObject } from './json-schema.ts';
import { inPascalCase } from './words.ts';

type ToJson = (schema: TSchema) => JsonObject;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description?: Json;
  readonly schema: JsonObject;
}

/** A parameter; with its component's name if many routes take it. */
interface Taken {
  readonly component?: string | undefined;
  readonly parameter: Parameter;
}

const header = (name: string, description: string, schema: JsonObject = { type: 'string' }): Parameter => ({
  name,
  in: 'header',
  description,
  schema,
});

const idempotencyKey: Taken = {
  component: 'IdempotencyKey',
  parameter: header(
    'Idempotency-Key',
    'A repeated request with the same key and body gets the first answer, marked `Idempotency-Replayed: true`. ' +
      'Another body with the same key is refused. A key is kept for a day.',
    { type: 'string', pattern: textForms.visibleCharacters.pattern, minLength: 1, maxLength: 255 },
  ),
};
const actingAccount: Taken = {
  component: 'Account',
  parameter: header(
    'X-Service-Account',
    'Act on the account of a team owner, `acc_<uuid>`, with the role that the operation names. Default: the account of the ' +
      'credential, as on routes without this header.',
  ),
};
const minimumPosition: Taken = {
  component: 'Position',
  parameter: header(
    'X-Service-Min-Position',
    'Wait for data that includes this position of the log: the `X-Service-Position` of a write. If that takes too long, the answer is ' +
      '503, or from older data, with `X-Service-Stale: true`.',
  ),
};

const queryComponents: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  [AsOfQuery.as_of, 'AsOf'],
  [HistoryQuery.from, 'HistoryFrom'],
  [HistoryQuery.to, 'HistoryTo'],
  [ListQuery.limit, 'Limit'],
  [ListQuery.cursor, 'Cursor'],
]);

/** The component of a path's `id`, if the description shows the kind of id. */
function idComponent(name: string, { description = '' }: { description?: string }): string | undefined {
  const isShown = (kind: IdKind) =>
    idPrefixes[kind] !== '' && description.startsWith(`\`${idPrefixes[kind]}_`);
  const kind = name === 'id' ? idKinds.find(isShown) : undefined;
  return kind && `${inPascalCase(kind)}Id`;
}

/** Moves the schema's description to the parameter. */
function parameter(place: 'path' | 'query', name: string, of: TSchema, toJson: ToJson): Parameter {
  const { description, ...schema } = toJson(of);
  return {
    ...{ name, in: place },
    ...((place === 'path' || !Type.IsOptional(of)) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  };
}

const takenBy = (route: Route, toJson: ToJson): readonly Taken[] => [
  ...Object.entries(route.params ?? {}).map(([name, schema]) => ({
    component: idComponent(name, schema),
    parameter: parameter('path', name, schema, toJson),
  })),
  ...Object.entries(route.query ?? {}).map(([name, schema]) => ({
    component: queryComponents.get(schema),
    parameter: parameter('query', name, schema, toJson),
  })),
  ...Object.entries(route.headers ?? {}).map(([name, text]) => ({ parameter: header(name, text) })),
  ...(route.idempotencyKey ? [idempotencyKey] : []),
  ...(route.accountHeader === 'honored' ? [actingAccount] : []),
  ...(route.side === 'read' && route.scopes !== null ? [minimumPosition] : []),
];

/** The path and query parameters and the headers of a route. */
export const requestParameters = (route: Route, toJson: ToJson): readonly Parameter[] =>
  takenBy(route, toJson).map((taken) => taken.parameter);

/** The same, with references to shared ones. */
export const parameterReferences = (route: Route, toJson: ToJson): JsonObject[] =>
  takenBy(route, toJson).map(({ component, parameter: own }) =>
    component === undefined ? { ...own } : referenceTo('parameters', component),
  );

/** The referenced components. */
export const parameterComponents = (routes: readonly Route[], toJson: ToJson): JsonObject =>
  Object.fromEntries(
    routes
      .flatMap((route) => takenBy(route, toJson))
      .flatMap(({ component, parameter: own }): [string, JsonObject][] =>
        component === undefined ? [] : [[component, { ...own }]],
      ),
  );
