import { anyOfKinds } from '../credentials.ts';
import { deprecationText, type Deprecation } from '../deprecations.ts';
import { problems, type ProblemSlug } from '../problems.ts';
import { isAddressBucket } from '../rate-buckets.ts';
import type { Route } from '../routes/index.ts';
import type { TSchema } from '../schema.ts';
import { eventStreams, eventStreamType } from './event-streams.ts';
import { examples } from './examples.ts';
import { problemHeaderNames, successHeaders } from './headers.ts';
import { jsonSchemaWithRefs, type JsonObject } from './json-schema.ts';
import { schemaNames } from './names.ts';
import { requestParameters } from './parameters.ts';
import { problemName, problemsOf } from './problem-schemas.ts';
import { securityOf } from './security.ts';

const toJson = (schema: TSchema) => jsonSchemaWithRefs(schema, schemaNames);
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
    parameters: requestParameters(route, toJson),
    ...(body === undefined ? {} : { requestBody: requestBody(route, body, deprecations) }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: successHeaders(route, deprecations.length > 0),
        ...(success.body === null ? {} : { content: successContent(route, success.body, deprecations) }),
      },
      ...problemResponses(route),
    },
  };
}

function accessText({ scopes, credentials, stepUp, role, accountHeader, bucket }: Route): string {
  const counted =
    bucket === null ? [] : [`Rate bucket \`${bucket}\`${isAddressBucket(bucket) ? ', by address' : ''}.`];
  if (scopes === null) return ['Needs no credential.', ...counted].join(' ');
  return [
    `Needs ${scopes.length > 1 ? 'one of the scopes' : 'the scope'} ${list(scopes)}.`,
    accountHeader === 'honored'
      ? `With \`X-Service-Account\` it acts on a team owner's account and needs the role \`${role}\` there.`
      : "Always acts on the caller's own account.",
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
  description:
    'Top-level fields that are not declared are ignored, and named in `x-service-unknown-fields`. Inside an object whose ' +
    'schema says `additionalProperties: false`, a field that is not declared is refused with `validation-failed`.',
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

function problemResponses(route: Route): JsonObject {
  const possible = problemsOf(route);
  const statuses = [...new Set(possible.map((slug) => problems[slug].status))].sort(
    (one, other) => one - other,
  );
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      problemResponse(
        route,
        status,
        possible.filter((slug) => problems[slug].status === status),
      ),
    ]),
  );
}

const problemResponse = (route: Route, status: number, slugs: readonly ProblemSlug[]): JsonObject => ({
  description: slugs.map((slug) => `\`${slug}\`: ${problems[slug].title}`).join('. '),
  headers: problemHeaderNames(route, status),
  content: { 'application/problem+json': { schema: anyProblem(slugs) } },
});

function anyProblem(slugs: readonly ProblemSlug[]): JsonObject {
  const references = slugs.map((slug) => ({ $ref: `#/components/schemas/${problemName(slug)}` }));
  return references.length === 1 ? { ...references[0] } : { oneOf: references };
}
