import { deprecations as announced, deprecationsOf, type Deprecation } from '../deprecations.ts';
import { routes, type Route, type Side } from '../routes/index.ts';
import { tags } from '../tags.ts';
import { headerComponents, headersInWords } from './headers.ts';
import { expanded, type JsonObject } from './json-schema.ts';
import { namedSchemas, schemaNames } from './names.ts';
import { answerComponents, operation, toJson } from './operation.ts';
import { parameterComponents } from './parameters.ts';
import { anyProblemSchema, problemName, problemSchema, problemSlugs } from './problem-schemas.ts';
import { reachable } from './reachable.ts';
import { securitySchemes } from './security.ts';
import { attemptHeaders, sentEvents } from './sent-events.ts';

export interface DocumentOptions {
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  /** Public base URL of the service; default: the host that serves the document. */
  readonly baseUrl?: string | undefined;
  /** Restricts the document to one API; default: both, merged. */
  readonly side?: Side;
  /** Models of this deployment, newest first. */
  readonly models?: readonly string[] | undefined;
  /** Default: the registry of deprecations. */
  readonly deprecations?: readonly Deprecation[] | undefined;
}

/** The OpenAPI 3.1 document, generated from the table of routes and the schemas that the server enforces. */
export function openApiDocument(options: DocumentOptions): JsonObject {
  const { errorsBase, baseUrl, side, models, deprecations = announced } = options;
  const served: readonly Route[] = routes.filter((route) => side === undefined || route.side === side);
  const operations = {
    paths: pathsOf(served, deprecations),
    ...(side === undefined && { webhooks: sentEvents() }),
  };
  const components = {
    headers: headerComponents,
    parameters: { ...parameterComponents(served, toJson), ...attemptHeaders },
    responses: answerComponents(served),
    schemas: { ...resourceSchemas(models), ...problemSchemas(errorsBase) },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Browser automation service',
      summary: 'Remote mobile-Safari browser sessions.',
      version: '1.0.0',
      description:
        'Every error is `application/problem+json`; dispatch on its `type`. ' +
        'Another method at a known path is refused with 405 `method-not-allowed` and `Allow`; `OPTIONS` answers 204 with ' +
        '`Allow`, and `HEAD` as `GET` does, without the body, on paths whose `Allow` names it. Versions are URL prefixes: nothing breaks under `/v1`.\n\n' +
        `${headersInWords}\n\n` +
        'Top-level fields of a request body that are not declared are ignored, and named in `x-service-unknown-fields`. Inside an ' +
        'object whose schema says `additionalProperties: false`, a field that is not declared is refused with `validation-failed`. ' +
        'Declared fields contain neither U+0000 nor lone surrogates, and a whole body is nested at most 64 levels deep.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: serversAt(baseUrl),
    tags: tagsOf(served),
    ...operations,
    components: { securitySchemes: securitySchemes(baseUrl), ...reachable(components, operations) },
  };
}

const tagsOf = (served: readonly Route[]): JsonObject[] =>
  Object.entries(tags)
    .filter(([name]) => served.some(({ tag }) => tag === name))
    .map(([name, description]) => ({ name, description }));

/** The serving host can be selected too, for documents opened under another name. */
const serversAt = (baseUrl: string | undefined): JsonObject[] => [
  ...(baseUrl === undefined ? [] : [{ url: baseUrl, description: 'The service.' }]),
  { url: '/', description: 'The host that serves this document.' },
];

function pathsOf(served: readonly Route[], registry: readonly Deprecation[]): JsonObject {
  const paths = [...new Set(served.map((route) => route.path))];
  return Object.fromEntries(
    paths.map((path) => [
      path,
      Object.fromEntries(
        served
          .filter((route) => route.path === path)
          .map((route) => [route.method.toLowerCase(), operation(route, deprecationsOf(route, registry))]),
      ),
    ]),
  );
}

const resourceSchemas = (models: readonly string[] | undefined): JsonObject =>
  Object.fromEntries(
    namedSchemas.map(([name, schema]) => {
      const json = expanded(schema, schemaNames);
      return [name, models !== undefined && withModel.has(name) ? listing(models, json) : json];
    }),
  );

/** Schemas whose models are configuration; request validation leaves them to the command. */
const withModel: ReadonlySet<string> = new Set(['AgentSession', 'CreateAgentSession']);

const listing = (models: readonly string[], schema: JsonObject): JsonObject => ({
  ...schema,
  properties: {
    ...(schema.properties as JsonObject),
    model: { type: 'string', enum: [...models], description: 'Newest first; the newest is the default.' },
  },
});

const problemSchemas = (errorsBase: string): JsonObject => ({
  Problem: anyProblemSchema(errorsBase),
  ...Object.fromEntries(problemSlugs.map((slug) => [problemName(slug), problemSchema(slug, errorsBase)])),
});
