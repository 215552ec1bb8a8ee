import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import { routes, type Route } from '../routes/index.ts';
import { archetypeCatalogue } from '../archetypes.ts';
import { problems } from '../problems.ts';
import { webhookEventTypes } from '../webhooks/event-types.ts';
import { openApiDocument } from './document.ts';
import { examples } from './examples.ts';
import { jsonSchema, type Json, type JsonObject } from './json-schema.ts';

const errorsBase = 'https://errors.example';
const table: readonly Route[] = routes;

interface Operation {
  readonly operationId: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly description: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<
    Record<string, { readonly headers: Record<string, { required?: boolean }>; readonly description: string }>
  >;
}
interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly const?: string }>>;
}
interface Components {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Sending {
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
  };
}
interface Sent {
  readonly properties: { readonly type: { readonly const: string } };
}
const routeOf = (id: string): Route => {
  const route = table.find((row) => row.id === id);
  return route ?? expect.fail(`no route ${id}`);
};
type Paths = Record<string, Record<string, Operation>>;
const documents = new Map<string | undefined, JsonObject>();
const documentOf = (side?: 'read' | 'write'): JsonObject => {
  const made = documents.get(side) ?? openApiDocument({ errorsBase, ...(side && { side }) });
  const { paths = {}, webhooks = {}, ...rest } = made;
  if (!documents.has(side))
    documents.set(side, { ...rest, paths: writtenOut(paths, made), webhooks: writtenOut(webhooks, made) });
  return documents.get(side) ?? made;
};
const pathsOf = (side?: 'read' | 'write') => documentOf(side).paths as unknown as Paths;

/** Replaces references, except those to schemas, by their components. */
const writtenOut = (node: Json, { components }: JsonObject): Json =>
  JSON.parse(JSON.stringify(node), (_key, value: Json) => {
    const reference = (value as { readonly $ref?: string } | null)?.$ref;
    const [, , kind = '', name = ''] = reference?.split('/') ?? [];
    if (reference === undefined || kind === 'schemas') return value;
    const component = (components as Record<string, JsonObject>)[kind]?.[name] ?? null;
    return writtenOut(component, { components } as JsonObject);
  }) as Json;
const operationOf = (route: Route): Operation | undefined =>
  pathsOf()[route.path]?.[route.method.toLowerCase()];

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1, whole and by side', () => {
    const validator = new OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: true });
    for (const side of [undefined, 'read', 'write'] as const) {
      const document: unknown = openApiDocument({ errorsBase, ...(side && { side }) });
      expect(validator.validate(document as Parameters<typeof validator.validate>[0]).errors).to.deep.equal(
        [],
      );
    }
  });

  it('has exactly the routes of the table, merged from its two sides', () => {
    const ids = (paths: Paths) =>
      Object.values(paths).flatMap((at) => Object.values(at).map((one) => one.operationId));
    const all = table.map((route) => route.id);
    expect(ids(pathsOf())).to.have.members(all);
    expect([...ids(pathsOf('read')), ...ids(pathsOf('write'))]).to.have.members(all);
  });

  it('has every event that an endpoint can be sent, with its envelope and the headers that identify the sender', () => {
    const { webhooks, components } = documentOf();
    const { schemas } = components as unknown as { schemas: Record<string, Sent> };
    expect(webhooks).to.have.all.keys(webhookEventTypes);
    for (const type of webhookEventTypes) {
      const { post } = (webhooks as unknown as Record<string, { post: Operation & Sending }>)[type] ?? {};
      const { $ref } = post?.requestBody.content['application/json'].schema ?? {};
      expect(schemas[$ref?.split('/').at(-1) ?? '']?.properties.type.const).to.equal(type);
      expect(post?.parameters.map(({ name }) => name)).to.deep.equal([
        'X-Service-Signature',
        'X-Service-Event-Id',
        'X-Service-Event-Type',
      ]);
    }
  });

  it('defines shared parts of operations once, and names each member of a union', () => {
    const { components, ...rest } = openApiDocument({ errorsBase });
    expect(JSON.stringify({ components, ...rest }).length / table.length).to.be.below(2350);
    const { schemas, responses } = components as unknown as Record<string, Record<string, JsonObject>>;
    expect(schemas).to.include.keys('TapAction', 'SelectorCondition', 'PingInputEvent', 'Place', 'Profile');
    expect(schemas?.Action?.oneOf).to.deep.include({ $ref: '#/components/schemas/TapAction' });
    expect(responses).to.include.keys('Unauthorized', 'NotFound', 'ConflictKeyed');
  });

  it('names no component that nothing refers to', () => {
    const document = openApiDocument({ errorsBase });
    const text = JSON.stringify(document);
    const { securitySchemes: _, ...kinds } = document.components as Record<string, JsonObject>;
    for (const [kind, named] of Object.entries(kinds))
      for (const name of Object.keys(named)) expect(text).to.contain(`"#/components/${kind}/${name}"`);
  });

  it('resolves every reference', () => {
    const document = openApiDocument({ errorsBase });
    const text = JSON.stringify(document);
    for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path
        .split('/')
        .reduce<Json | undefined>((node, key) => (node as JsonObject)[key], document);
      expect(target, path).to.be.an('object');
    }
  });

  it('says of each operation who may call it and which bucket pays', () => {
    for (const route of table) {
      const operation = operationOf(route);
      expect(
        operation?.security
          .flatMap((one) => one.apiKey ?? one.accessToken ?? [])
          .slice(0, route.scopes?.length),
        route.id,
      ).to.deep.equal(route.scopes ?? []);
      if (route.bucket) expect(operation?.description, route.id).to.contain(`\`${route.bucket}\``);
      const takesAccount = operation?.parameters.some(({ name }) => name === 'X-Service-Account');
      expect(takesAccount, route.id).to.equal(route.accountHeader === 'honored');
    }
  });

  it('promises a request id with every answer, and lists each problem of the table', () => {
    for (const route of table) {
      const responses = operationOf(route)?.responses ?? {};
      for (const [status, { headers }] of Object.entries(responses)) {
        expect(headers, `${route.id} ${status}`).to.have.property('X-Request-Id');
      }
      const described = Object.values(responses)
        .map((response) => response.description)
        .join(' ');
      for (const slug of route.problems) expect(described, route.id).to.contain(`\`${slug}\``);
    }
  });

  it('lists the conflict of a snapshot whose profile is purged meanwhile', () => {
    expect(operationOf(routeOf('profile-snapshots.create'))?.responses).to.include.keys('409');
  });

  it('lists no refusal of a body where none is read', () => {
    const ofLinks = table.filter(({ scopes, query }) => scopes === null && query?.token !== undefined);
    expect(ofLinks).to.have.length(6);
    for (const route of ofLinks) {
      const described = operationOf(route)?.responses['400']?.description;
      expect(described, route.id).not.to.contain('`bad-request`');
    }
  });

  it('says that HEAD is not on every path, and that a read may be behind the position it names', () => {
    const { info, components } = openApiDocument({ errorsBase }) as unknown as {
      readonly info: { readonly description: string };
      readonly components: {
        readonly parameters: Readonly<Record<string, { readonly description: string }>>;
      };
    };
    expect(info.description).to.contain('on paths whose `Allow` names it');
    expect(components.parameters.Position?.description).to.contain('`X-Service-Stale: true`');
  });

  it('requires no request field with a default, and describes the default in words', () => {
    const text = JSON.stringify(openApiDocument({ errorsBase }));
    expect(text).not.to.match(/"default":(?!\{)/);
    const { components } = openApiDocument({ errorsBase }) as unknown as Components;
    const { Navigate } = components.schemas;
    expect(Navigate?.required).to.deep.equal(['url']);
    expect(Navigate?.properties?.timeout_ms?.description).to.match(/^Default: 30000, unless /);
    expect(Navigate?.properties?.wait_until?.description).to.equal('Default: load.');
  });

  it('requires exactly the response headers that are always present', () => {
    const operation = operationOf(routeOf('sessions.create'));
    const alwaysThere = (status: string) =>
      Object.entries(operation?.responses[status]?.headers ?? {})
        .filter(([, header]) => header.required)
        .map(([name]) => name);
    expect(alwaysThere('201')).to.have.members(['X-Request-Id', 'RateLimit-Policy', 'RateLimit']);
    expect(alwaysThere('401')).to.have.members(['X-Request-Id', 'WWW-Authenticate']);
    expect(alwaysThere('429')).to.have.members(['X-Request-Id']);
    expect(Object.keys(operation?.responses['201']?.headers ?? {})).to.include.members([
      'X-Service-Position',
      'x-service-unknown-fields',
      'Idempotency-Replayed',
    ]);
  });

  it('distinguishes the two answers of a replay by their kind', () => {
    const document = JSON.stringify(operationOf(routeOf('webhooks.replay')));
    expect(document).to.contain(
      JSON.stringify({
        propertyName: 'kind',
        mapping: {
          replay: '#/components/schemas/WebhookReplay',
          dry_run: '#/components/schemas/ReplayForecast',
        },
      }),
    );
  });

  it('names the public address of the service, and the host that served the document', () => {
    const servers = (baseUrl?: string) =>
      (openApiDocument({ errorsBase, baseUrl }).servers as { url: string }[]).map(({ url }) => url);
    expect(servers('https://api.example')).to.deep.equal(['https://api.example', '/']);
    expect(servers()).to.deep.equal(['/']);
  });

  it('lists the models of the deployment, newest first', () => {
    const modelOf = (name: string, models?: readonly string[]) => {
      const { components } = openApiDocument({ errorsBase, models }) as unknown as Components;
      return components.schemas[name]?.properties?.model;
    };
    for (const name of ['CreateAgentSession', 'AgentSession']) {
      expect(modelOf(name, ['new', 'old'])).to.deep.include({ type: 'string', enum: ['new', 'old'] });
      expect(modelOf(name)).not.to.have.property('enum');
    }
  });

  it('describes each stream of events, beside the answer without a stream if there is one', () => {
    const streaming = table.filter(({ success }) => success.contentType?.includes('text/event-stream'));
    expect(streaming.map(({ id }) => id)).to.include('agent-sessions.transcript');
    for (const route of streaming) {
      const { content } = operationOf(route)?.responses['200'] as unknown as {
        content: Record<string, { schema: { type?: string; description?: string }; example: string }>;
      };
      expect(content).to.have.all.keys(...(route.success.contentType?.split(', ') ?? []));
      expect(content['text/event-stream']?.schema).to.include({ type: 'string' });
      expect(content['text/event-stream']?.example).to.match(/^: stream open\n\n/);
    }
  });

  it('names the headers, and the credential in the query, of single routes', () => {
    const paths = pathsOf();
    for (const { id, path, method, headers = {}, credentialInQuery } of table) {
      const operation = paths[path]?.[method.toLowerCase()];
      expect(operation?.parameters.map(({ name }) => name)).to.include.members(Object.keys(headers));
      const takesIt = operation?.security.some((scheme) => 'queryToken' in scheme);
      expect(takesIt, id).to.equal(credentialInQuery !== undefined);
    }
  });

  it('has a schema for every type of problem', () => {
    const { components } = openApiDocument({ errorsBase }) as unknown as Components & JsonObject;
    const types = Object.values(components.schemas).map((schema) => schema.properties?.type?.const);
    expect(types).to.include.members(Object.keys(problems).map((slug) => `${errorsBase}/${slug}`));
  });

  it('names no archetype that is not in the catalogue', () => {
    const known = archetypeCatalogue.archetypes.map(({ id }) => id);
    const named = JSON.stringify(examples).matchAll(/"archetype":"([^"]+)"/g);
    for (const [, archetype] of named) expect(known).to.include(archetype);
  });

  it('shows examples that its own schemas accept', () => {
    const ajv = addFormats.default(new Ajv2020.default({ strict: false, discriminator: true }));
    for (const [id, { request, response }] of Object.entries(examples)) {
      const route = routeOf(id);
      for (const [schema, example] of [
        [route.body, request],
        [route.success.body, response],
      ] as const) {
        if (example === undefined || !schema) continue;
        const accepts = ajv.compile(jsonSchema(schema));
        expect(accepts(example), `${id}: ${ajv.errorsText(accepts.errors)}`).to.equal(true);
      }
    }
  });
});
