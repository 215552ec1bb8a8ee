import type { Json, JsonObject } from '../../openapi/json-schema.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renders a reference to a component: `t.Session`, or `Session` within the same file. */
type Named = (name: string) => string;

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A schema of the document as a TypeScript type. `isOpen`: objects include the type of their additional properties. */
export function typeText(schema: JsonObject, named: Named, isOpen = true): string {
  if (typeof schema.$ref === 'string') return named(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  const within = (part: Json): string => typeText(part as JsonObject, named, isOpen);
  const { type, items, allOf, anyOf, oneOf } = schema;
  const members = anyOf ?? oneOf;
  if (Array.isArray(members)) return unionOf(members.map(within));
  if (Array.isArray(allOf)) return allOf.map((each) => `(${within(each)})`).join(' & ');
  if (type === 'array') return `(${within(items ?? {})})[]`;
  if (type === 'object') return objectText(schema, named, isOpen);
  return scalars[type as string] ?? 'unknown';
}

const unionOf = (members: readonly string[]): string =>
  members.includes('unknown') ? 'unknown' : [...new Set(members)].join(' | ');

function objectText(schema: JsonObject, named: Named, isOpen: boolean): string {
  const [pattern] = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  if (isObject(pattern)) return `Record<string, ${typeText(pattern, named, isOpen)}>`;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  if (properties.length === 0) return 'Record<string, unknown>';
  const lines = properties.map(([name, property]) => {
    const type = typeText(property as JsonObject, named, isOpen);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const optional = type === 'unknown' ? type : `${type} | undefined`;
    const field = required.has(name) ? `${key}: ${type};` : `${key}?: ${optional};`;
    return `${commentOf(property)}${field}`;
  });
  const open = isOpen && schema.additionalProperties === true ? ['[name: string]: unknown;'] : [];
  return `{\n${[...lines, ...open].join('\n')}\n}`;
}

/** A schema's description as a comment line; empty if it has none. */
export function commentOf(schema: Json | undefined): string {
  const text = isObject(schema) ? schema.description : undefined;
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n` : '';
}
