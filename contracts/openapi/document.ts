import { deprecations as announced, deprecationsOf, type Deprecation } from '../deprecations.ts';
import { problems, type ProblemSlug } from '../problems.ts';
import { routes, type Route, type Side } from '../routes/index.ts';
import { headerComponents } from './headers.ts';
import { expanded, type JsonObject } from './json-schema.ts';
import { namedSchemas, schemaNames } from './names.ts';
import { operation } from './operation.ts';
import { problemName, problemSchema } from './problem-schemas.ts';
import { securitySchemes } from './security.ts';
import { sentEvents } from './sent-events.ts';

export interface DocumentOptions {
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  /** The public address of the service; by default the host that serves the document. */
  readonly baseUrl?: string | undefined;
  /** The document of one API; without it the merged document of both. */
  readonly side?: Side;
  /** The models that this deployment takes, newest first. */
  readonly models?: readonly string[] | undefined;
  /** What is deprecated; by default, the registry. */
  readonly deprecations?: readonly Deprecation[] | undefined;
}

/** The machine-readable contract, OpenAPI 3.1, generated from the table and the schemas that the server enforces. */
export function openApiDocument(options: DocumentOptions): JsonObject {
  const { errorsBase, baseUrl, side, models, deprecations = announced } = options;
  const served: readonly Route[] = routes.filter((route) => side === undefined || route.side === side);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Browser automation service',
      summary: 'Remote mobile-Safari browser sessions.',
      version: '1.0.0',
      description:
        'Every error is `application/problem+json`; dispatch on its `type`. Every answer carries `X-Request-Id`. ' +
        'Another method at a known path is refused with 405 `method-not-allowed` and `Allow`; `OPTIONS` answers 204 with ' +
        '`Allow`, and `HEAD` as `GET` does, without the body. Versions are URL prefixes: nothing breaks under `/v1`.',
    },
    servers: serversAt(baseUrl),
    tags: [...new Set(served.map((route) => route.tag))].map((name) => ({ name })),
    paths: pathsOf(served, deprecations),
    ...(side === undefined && { webhooks: sentEvents() }),
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers: headerComponents,
      schemas: { ...resourceSchemas(models), ...problemSchemas(errorsBase) },
    },
  };
}

/** The serving host stays selectable, for references opened under another name. */
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
    Object.entries(namedSchemas).map(([name, schema]) => {
      const json = expanded(schema, schemaNames);
      return [name, models !== undefined && withModel.has(name) ? listing(models, json) : json];
    }),
  );

/** Which models there are is configuration: the schemas that requests are checked by leave it to the command. */
const withModel: ReadonlySet<string> = new Set(['AgentSession', 'CreateAgentSession']);

const listing = (models: readonly string[], schema: JsonObject): JsonObject => ({
  ...schema,
  properties: {
    ...(schema.properties as JsonObject),
    model: { type: 'string', enum: [...models], description: 'Newest first; the newest is the default.' },
  },
});

const slugs = Object.keys(problems) as ProblemSlug[];
const problemSchemas = (errorsBase: string): JsonObject =>
  Object.fromEntries(slugs.map((slug) => [problemName(slug), problemSchema(slug, errorsBase)]));
