import { randomUUID } from 'node:crypto';
import { idPrefixes, toId, type IdKind } from '../../../contracts/ids.ts';
import type { Json, JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { openApiDocument } from '../../../contracts/openapi/document.ts';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import { errorsBase } from '../../../write-api/fixture.ts';

/** What the published document says, for the generators of these tests. */
const document = openApiDocument({ errorsBase });
const at = (node: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner[key] : undefined,
    node,
  );
const objectAt = (...path: readonly string[]): JsonObject | undefined => {
  const found = at(document, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
};

export const namedSchemas = objectAt('components', 'schemas') as Readonly<Record<string, JsonObject>>;

/** A schema where a document names it. */
const resolved = (schema: JsonObject | undefined): JsonObject | undefined =>
  typeof schema?.$ref === 'string' ? namedSchemas[schema.$ref.split('/').at(-1) ?? ''] : schema;

const operationPath = (route: Route) => ['paths', route.path, route.method.toLowerCase()];

export const bodySchema = (route: Route): JsonObject | undefined =>
  resolved(objectAt(...operationPath(route), 'requestBody', 'content', 'application/json', 'schema'));

export const successSchema = (route: Route): JsonObject | undefined =>
  resolved(
    objectAt(
      ...operationPath(route),
      'responses',
      String(route.success.status),
      'content',
      'application/json',
      'schema',
    ),
  );

const table: readonly Route[] = routes;
export const guarded = table.filter(({ scopes }) => scopes !== null);
export const withId = table.filter(({ params }) => params !== undefined);
export const withBody = table.filter(({ body }) => body !== undefined);
export const lists = table.filter(({ query }) => query !== undefined && 'cursor' in query);

/** Which kind of id a route takes, read off its published description. */
export function idKindOf(route: Route): IdKind {
  const [, prefix] = /`(\w+)_<uuid>`/.exec(JSON.stringify(route.params?.id ?? {})) ?? [];
  const kind = (Object.keys(idPrefixes) as IdKind[]).find((each) => idPrefixes[each] === prefix);
  if (kind === undefined) throw new Error(`${route.id} does not say what its id is.`);
  return kind;
}

/** The route as `call` takes it; what stands for the id must be encoded already. */
export const targetOf = ({ method, path }: Route, id: string = randomUUID()): string =>
  `${method} ${path.replace('{id}', id)}`;

/** Texts in the place of an id that are no id of that kind, each a way someone might try to reach `id` all the same. */
export function malformedIds(kind: IdKind, id: string): readonly string[] {
  const uuid = id.slice(id.indexOf('_') + 1);
  const other = kind === 'session' ? 'apiKey' : 'session';
  return [
    'nonsense',
    '0',
    '-1',
    '*',
    'null',
    'undefined',
    uuid,
    id.toUpperCase(),
    id.replaceAll('-', ''),
    toId(other, uuid),
    `${id}%20`,
    `${id}%0A`,
    `${id},${id}`,
    `${id};`,
    `${id}%2F`,
    `..%2F${id}`,
    `%2e%2e`,
    `${id}'%20or%20'1'='1`,
    `${id.slice(0, -1)}%EF%BC%91`,
    id.slice(0, -1),
    `${id}0`,
    'x'.repeat(5_000),
  ];
}

/** A body that satisfies each route which needs one. */
export const soundBodies: Readonly<Record<string, object>> = {
  'sessions.create': {},
  'sessions.navigate': { url: 'http://sim.test/' },
  'sessions.interact': { action: { kind: 'press', key: 'a' } },
  'sessions.wait': { condition: { kind: 'delay', ms: 0 } },
  'sessions.capture': { kind: 'dom_snapshot' },
  'sessions.extract': {
    schema: { type: 'object', properties: { title: { type: 'string', 'x-selector': 'h1' } } },
  },
  'sessions.search': { query: 'anything' },
  'sessions.login': { url: 'http://sim.test/login', fields: { username: 'ada', password: 'correct' } },
  'api-keys.create': { name: 'a key' },
  'api-keys.rotate': {},
};
