import { anyOfKinds } from '../credentials.ts';
import { deprecationText, type Deprecation } from '../deprecations.ts';
import { isAddressBucket } from '../rate-buckets.ts';
import type { Route } from '../routes/index.ts';
import { historyAnswer } from '../routes/rows.ts';
import type { TSchema } from '../schema.ts';
import { eventStreams, eventStreamType } from './event-streams.ts';
import { examples } from './examples.ts';
import { successHeaders } from './headers.ts';
import { jsonSchemaWithRefs, referenceTo, type JsonObject } from './json-schema.ts';
import { schemaNames } from './names.ts';
import { parameterReferences } from './parameters.ts';
import { problemReferences, problemResponses } from './problem-responses.ts';
import { securityOf } from './security.ts';

export const toJson = (schema: TSchema) => jsonSchemaWithRefs(schema, schemaNames);
const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** One route as an OpenAPI operation. */
export function operation(route: Route, deprecations: readonly Deprecation[]): JsonObject {
  const { body, success } = route;
  return {
    operationId: route.id,
    summary: route.summary,
    description: [...deprecations.map(deprecationText), accessText(route)].join(' '),
    ...(deprecations.some(({ field }) => field === undefined) && { deprecated: true }),
    tags: [route.tag],
    security: securityOf(route),
    parameters: parameterReferences(route, toJson),
    ...(body === undefined ? {} : { requestBody: requestBody(route, body, deprecations) }),
    responses: {
      [success.status]:
        success === historyAnswer ? referenceTo('responses', 'History') : answer(route, deprecations),
      ...problemReferences(route),
    },
  };
}

function answer(route: Route, deprecations: readonly Deprecation[]): JsonObject {
  const { description, body } = route.success;
  return {
    description,
    headers: successHeaders(route, deprecations.length > 0),
    ...(body === null ? {} : { content: successContent(route, body, deprecations) }),
  };
}

/** Shared answers of operations: problems and histories. */
export const answerComponents = (routes: readonly Route[]): JsonObject => ({
  ...Object.fromEntries(
    routes.filter(({ success }) => success === historyAnswer).map((route) => ['History', answer(route, [])]),
  ),
  ...problemResponses(routes),
});

function accessText({ scopes, credentials, stepUp, role, accountHeader, bucket }: Route): string {
  const counted =
    bucket === null ? [] : [`Rate bucket \`${bucket}\`${isAddressBucket(bucket) ? ', by address' : ''}.`];
  if (scopes === null) return ['No credential.', ...counted].join(' ');
  return [
    `${scopes.length > 1 ? 'One of the scopes' : 'Scope'} ${list(scopes)}.`,
    ...(accountHeader === 'honored' ? [`Role \`${role}\`.`] : []),
    ...(credentials === undefined ? [] : [`Takes ${anyOfKinds(credentials)}.`]),
    ...(stepUp
      ? ['An account with a second factor must have given a code within the last ten minutes.']
      : []),
    ...counted,
  ].join(' ');
}

const exampleOf = (route: Route, part: 'request' | 'response') => {
  const example = examples[route.id]?.[part];
  return example === undefined ? {} : { example };
};

const requestBody = (route: Route, body: TSchema, deprecations: readonly Deprecation[]): JsonObject => ({
  required: route.bodyRequired === true,
  content: Object.fromEntries(
    ['application/json', ...(route.oauth ? ['application/x-www-form-urlencoded'] : [])].map((type) => [
      type,
      { schema: bodySchema(body, 'request', deprecations), ...exampleOf(route, 'request') },
    ]),
  ),
});

const successContent = (route: Route, body: TSchema, deprecations: readonly Deprecation[]): JsonObject =>
  Object.fromEntries(
    (route.success.contentType ?? 'application/json')
      .split(', ')
      .map((type) => [
        type,
        type === eventStreamType
          ? eventStreamContent(route)
          : { schema: bodySchema(body, 'response', deprecations), ...exampleOf(route, 'response') },
      ]),
  );

/** A body with its deprecated fields marked. */
function bodySchema(
  body: TSchema,
  part: 'request' | 'response',
  deprecations: readonly Deprecation[],
): JsonObject {
  const fields = deprecations.filter(({ field }) => field?.in === part);
  if (fields.length === 0) return toJson(body);
  const marked = fields.map((each) => [
    each.field?.name ?? '',
    { deprecated: true, description: deprecationText(each) },
  ]);
  return { allOf: [toJson(body), { type: 'object', properties: Object.fromEntries(marked) as JsonObject }] };
}

function eventStreamContent({ id }: Route): JsonObject {
  const stream = Object.entries(eventStreams).find(([of]) => of === id)?.[1];
  if (stream === undefined) throw new Error(`Nobody says what ${id} sends as a stream of events.`);
  const { description, example } = stream;
  return { schema: { type: 'string', description }, example };
}
