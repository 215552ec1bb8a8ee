import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import { routes, type Route } from '../routes/index.ts';
import { envelopes } from '../webhooks/envelope.ts';
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
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly description: string }>>;
}
interface Sending {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: { readonly properties: { type: { const: string } } } };
    };
  };
}
type Paths = Record<string, Record<string, Operation>>;
const pathsOf = (side?: 'read' | 'write') =>
  openApiDocument({ errorsBase, ...(side && { side }) }).paths as unknown as Paths;
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

  it('has every event that is sent to endpoints, with its envelope and the headers that tell who sends it', () => {
    const { webhooks } = openApiDocument({ errorsBase });
    expect(webhooks).to.have.all.keys(Object.keys(envelopes));
    for (const type of Object.keys(envelopes)) {
      const { post } = (webhooks as unknown as Record<string, { post: Operation & Sending }>)[type] ?? {};
      expect(post?.requestBody.content['application/json'].schema.properties.type.const).to.equal(type);
      expect(post?.parameters.map(({ name }) => name)).to.deep.equal([
        'X-Service-Signature',
        'X-Service-Event-Id',
        'X-Service-Event-Type',
      ]);
    }
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
        operation?.security.flatMap((one) => one.apiKey),
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

  it('shows examples that its own schemas accept', () => {
    const ajv = addFormats.default(new Ajv2020.default({ strict: false, discriminator: true }));
    for (const [id, { request, response }] of Object.entries(examples)) {
      const route = table.find((row) => row.id === id);
      if (!route) expect.fail(`no route ${id}`);
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
