import type { JsonObject } from '../../openapi/json-schema.ts';
import type { Route } from '../../routes/index.ts';
import { interfaceOf, methodOf, type Area } from './areas.ts';
import { described, resolved, schemaIn } from './document.ts';
import { cursorOf, formOf, givesEvents } from './rows.ts';
import { commentOf, typeText } from './type-text.ts';

const named = (name: string): string => `t.${name}`;

/** The operations of an area as an interface: path parameters first, then the body or the query, then options. */
export function interfaceText(area: Area): string {
  const methods = area.routes.map(
    (route) => `/** ${sentence(route)} */\n${methodOf(route)}(${argumentsOf(route)}): ${resultOf(route)};`,
  );
  return `export interface ${interfaceOf(area)} {\n${methods.join('\n')}\n}\n`;
}

const sentence = ({ summary, method, path }: Route): string => `${summary}. \`${method} ${path}\``;

function argumentsOf(route: Route): string {
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => `${name}: ${name.endsWith('id') ? 'string' : 'string | number'}`,
  );
  return [...parameters, inputOf(route), 'options?: CallOptions']
    .filter((part) => part !== undefined)
    .join(', ');
}

function inputOf(route: Route): string | undefined {
  if (route.raw !== undefined) return 'body: string | Uint8Array';
  if (route.body !== undefined) {
    const schema = schemaIn(described(route).requestBody as JsonObject);
    return `body${route.bodyRequired ? '' : '?'}: ${typeText(schema ?? {}, named, false)}`;
  }
  const query = queryOf(route);
  return query === undefined ? undefined : `query${query.isRequired ? '' : '?'}: ${query.text} & CallOptions`;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonObject;
}

function queryOf(route: Route): { readonly text: string; readonly isRequired: boolean } | undefined {
  const parameters = (described(route).parameters as JsonObject[])
    .map((each) => resolved('parameters', each) as unknown as Parameter)
    .filter((each) => each.in === 'query' && each.name !== route.credentialInQuery);
  // A stream of events takes no paging parameters.
  const taken = givesEvents(route) ? [] : parameters;
  if (taken.length === 0) return undefined;
  const fields = taken.map(({ name, required = false, description, schema }) => {
    const comment = commentOf(description === undefined ? schema : { description });
    return `${comment}${name}${required ? '' : '?'}: ${typeText(schema, named)}${required ? '' : ' | undefined'};`;
  });
  return { text: `{\n${fields.join('\n')}\n}`, isRequired: taken.some(({ required }) => required) };
}

function resultOf(route: Route): string {
  if (givesEvents(route)) return `AsyncGenerator<${eventOf(route)}, void, undefined>`;
  const form = formOf(route);
  if (form !== 'json') return `Call<${form === 'text' ? 'string' : 'Uint8Array'}>`;
  const schema = answerOf(route);
  if (schema === undefined) return 'Call<void>';
  return cursorOf(route) === undefined ? `Call<${typeText(schema, named)}>` : listOf(schema);
}

/** Type of the events' data, for each route with a stream. */
const events: Readonly<Record<string, string>> = {
  'agent-sessions.transcript': 't.IndexedEntry',
  'status.stream': 't.PublicStatus',
};

function eventOf({ id }: Route): string {
  const type = events[id];
  if (type === undefined) throw new Error(`Nobody says what the events of ${id} hold.`);
  return type;
}

function answerOf(route: Route): JsonObject | undefined {
  const responses = described(route).responses as Readonly<Record<string, JsonObject>>;
  return schemaIn(resolved('responses', responses[String(route.success.status)] ?? {}));
}

/** The type of a page, as a list of its items. */
function listOf(schema: JsonObject): string {
  const { data, ...others } = resolved('schemas', schema).properties as Record<string, JsonObject>;
  const item = typeText(data?.items as JsonObject, named);
  const beside = Object.entries(others).filter(([field]) => !['has_more', 'next_cursor'].includes(field));
  if (beside.length === 0) return `List<${item}>`;
  const fields = beside.map(([field, type]) => `${field}: ${typeText(type, named)};`);
  return `List<${item}, { ${fields.join(' ')} }>`;
}
