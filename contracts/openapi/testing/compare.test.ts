import { expect } from 'chai';
import type { Deprecation } from '../../deprecations.ts';
import type { Difference } from './compare-schemas.ts';
import { compareDocuments, isBreaking } from './compare.ts';
import type { JsonObject } from '../json-schema.ts';
import { unexcused } from './unexcused.ts';

const item: JsonObject = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'string' },
    status: { type: 'string', enum: ['open', 'closed'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    parent: { $ref: '#/components/schemas/Item' },
  },
};
const request: JsonObject = {
  type: 'object',
  additionalProperties: true,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
  },
};
const problem = (slug: string, status: number): JsonObject => ({
  properties: { type: { const: `https://errors.example/${slug}` }, status: { const: status } },
});

interface Parts {
  readonly item?: JsonObject;
  readonly request?: JsonObject;
  readonly parameters?: readonly JsonObject[];
  readonly responses?: JsonObject;
  readonly problems?: JsonObject;
  readonly paths?: JsonObject;
  readonly webhooks?: JsonObject;
}
const limit: JsonObject = {
  name: 'limit',
  in: 'query',
  required: false,
  schema: { type: 'integer', maximum: 100 },
};
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const shown = json({ $ref: '#/components/schemas/Item' });

/** A small contract, with replaceable parts. */
const contract = (parts: Parts = {}): JsonObject => ({
  paths: {
    '/v1/items': {
      post: {
        parameters: [...(parts.parameters ?? [limit])],
        requestBody: { required: true, ...json(parts.request ?? request) },
        responses: parts.responses ?? { '201': shown, '404': {} },
      },
    },
    ...parts.paths,
  },
  webhooks: parts.webhooks ?? {},
  components: {
    schemas: { Item: parts.item ?? item, ...(parts.problems ?? { Missing: problem('not-found', 404) }) },
  },
});

const properties = (of: JsonObject) => of.properties as JsonObject;
const withField = (of: JsonObject, name: string, schema: JsonObject): JsonObject => ({
  ...of,
  properties: { ...properties(of), [name]: schema },
});
const withoutField = (of: JsonObject, name: string): JsonObject => {
  const { [name]: _gone, ...others } = properties(of);
  return { ...of, properties: others };
};
const status = (...values: string[]): Parts => ({
  item: withField(item, 'status', { type: 'string', enum: values }),
});
const color = (schema: JsonObject): Parts => ({
  request: withField(request, 'color', { type: 'string', enum: ['red', 'blue'], default: 'red', ...schema }),
});
const named = (schema: JsonObject): Parts => ({
  request: withField(request, 'name', { type: 'string', ...schema }),
});

const breaking: readonly (readonly [string, Parts, Difference['kind']])[] = [
  ['a field of an answer that is gone', { item: withoutField(item, 'note') }, 'removed'],
  ['a field of a request that is gone', { request: withoutField(request, 'color') }, 'removed'],
  ['a field of an answer that may be missing', { item: { ...item, required: ['id'] } }, 'removed'],
  ['another type in an answer', { item: withField(item, 'id', { type: 'integer' }) }, 'type-changed'],
  ['another type in a request', { request: withField(request, 'name', { type: 'integer' }) }, 'type-changed'],
  [
    'null where there was none',
    { item: withField(item, 'id', { anyOf: [{ type: 'string' }, { type: 'null' }] }) },
    'value-sent',
  ],
  ['a field that is required now', { request: { ...request, required: ['name', 'color'] } }, 'tightened'],
  [
    'a new field that is required',
    { request: { ...withField(request, 'size', { type: 'integer' }), required: ['name', 'size'] } },
    'tightened',
  ],
  ['a shorter text', named({ minLength: 1, maxLength: 50 }), 'tightened'],
  ['a longer least text', named({ minLength: 2, maxLength: 100 }), 'tightened'],
  ['a pattern', named({ minLength: 1, maxLength: 100, pattern: '^a' }), 'tightened'],
  ['a choice that is gone', color({ enum: ['red'] }), 'tightened'],
  ['no other fields', { request: { ...request, additionalProperties: false } }, 'tightened'],
  ['another default', color({ default: 'blue' }), 'default-changed'],
  [
    'no default',
    { request: withField(request, 'color', { type: 'string', enum: ['red', 'blue'] }) },
    'default-changed',
  ],
  ['a value that was never sent', status('open', 'closed', 'lost'), 'value-sent'],
  ['any value', { item: withField(item, 'status', { type: 'string' }) }, 'value-sent'],
  ['a parameter that is gone', { parameters: [] }, 'removed'],
  ['a parameter that is required', { parameters: [{ ...limit, required: true }] }, 'tightened'],
  ['a lower limit', { parameters: [{ ...limit, schema: { type: 'integer', maximum: 50 } }] }, 'tightened'],
  ['another success', { responses: { '200': shown, '404': {} } }, 'status-changed'],
  ['a status that is gone', { responses: { '201': shown } }, 'status-changed'],
  ['a slug that is gone', { problems: { Missing: problem('gone', 404) } }, 'slug-changed'],
  ['a slug of another status', { problems: { Missing: problem('not-found', 410) } }, 'status-changed'],
  ['an event that was never sent', { webhooks: { 'item.lost': {} } }, 'value-sent'],
];

const additive: readonly (readonly [string, Parts])[] = [
  ['nothing', {}],
  ['a route', { paths: { '/v1/others': { get: { responses: { '200': shown } } } } }],
  ['a field of an answer', { item: withField(item, 'size', { type: 'integer' }) }],
  ['an optional field of a request', { request: withField(request, 'size', { type: 'integer' }) }],
  [
    'an optional parameter',
    { parameters: [limit, { name: 'cursor', in: 'query', schema: { type: 'string' } }] },
  ],
  ['a choice', color({ enum: ['red', 'blue', 'green'] })],
  ['a longer text', named({ minLength: 1, maxLength: 200 })],
  ['a field that is no longer required', { request: { ...request, required: [] } }],
  ['a field that is always sent', { item: { ...item, required: ['id', 'status', 'note'] } }],
  ['another kind of problem', { responses: { '201': shown, '404': {}, '409': {} } }],
  ['a slug', { problems: { Missing: problem('not-found', 404), Conflict: problem('conflict', 409) } }],
  ['a description', { item: { ...item, description: 'An item.' } }],
  [
    'a note that a field is deprecated',
    {
      responses: {
        '201': json({
          allOf: [{ $ref: '#/components/schemas/Item' }, { properties: { note: { deprecated: true } } }],
        }),
        '404': {},
      },
    },
  ],
];

const differences = (after: Parts, before: Parts = {}) => compareDocuments(contract(before), contract(after));

describe('a change of the contract', () => {
  for (const [what, parts, kind] of breaking)
    it(`breaks clients: ${what}`, () => {
      expect(
        differences(parts)
          .filter(isBreaking)
          .map((each) => each.kind),
      ).to.include(kind);
    });

  for (const [what, parts] of additive)
    it(`is compatible: ${what}`, () => {
      expect(differences(parts).filter(isBreaking)).to.deep.equal([]);
    });

  it('is named by its path', () => {
    const after = { item: withField(item, 'status', { type: 'string', enum: ['open', 'lost'] }) };
    expect(differences(after).filter(({ kind }) => kind === 'value-sent')).to.deep.equal([
      { kind: 'value-sent', where: 'POST /v1/items · 201 · status', what: '"lost" is new' },
    ]);
  });

  const entry: Deprecation = {
    ...{ id: 'others', route: 'GET /v1/others', replacement: 'GET /v1/items' },
    ...{ announced: '2026-01-01', sunset: '2026-06-01' },
  };
  it('may take a route away once its sunset is past, and not a day before', () => {
    const gone = differences({}, { paths: { '/v1/others': { get: { responses: { '200': shown } } } } });
    expect(unexcused(gone, [entry], '2026-06-01')).to.deep.equal([]);
    expect(unexcused(gone, [entry], '2026-05-31')).to.have.length(1);
    expect(unexcused(gone, [], '2026-06-01')).to.have.length(1);
  });

  it('may take away a field that was announced, and no other', () => {
    const field = { ...entry, route: 'POST /v1/items', field: { in: 'response', name: 'note' } as const };
    expect(unexcused(differences({ item: withoutField(item, 'note') }), [field], '2026-06-01')).to.deep.equal(
      [],
    );
    expect(
      unexcused(differences({ item: withoutField(item, 'id') }), [field], '2026-06-01'),
    ).not.to.deep.equal([]);
  });
});
