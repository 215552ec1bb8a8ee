import type { TSchema } from '../schema.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
// An interface may refer to itself; a record type may not.
export interface JsonObject {
  [key: string]: Json;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy as plain JSON, each object in it replaced before what is inside it. */
const plain = (schema: TSchema, replace: (node: Node) => Node): JsonObject =>
  JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) => (isNode(value) ? replace(value) : value)),
  ) as JsonObject;

/** A schema as plain JSON Schema 2020-12, without references: what requests are validated by. */
export const jsonSchema = (schema: TSchema): JsonObject => plain(schema, tagged);

/** A named schema where one is declared (`names`), so that a document says each resource once. */
export function jsonSchemaWithRefs(schema: TSchema, names: ReadonlyMap<object, string>): JsonObject {
  const name = names.get(schema);
  return name === undefined ? expanded(schema, names) : referenceTo(name);
}

/** The same, but the outermost schema is written out. */
export const expanded = (schema: TSchema, names: ReadonlyMap<object, string>): JsonObject =>
  plain(schema, (node) => {
    const name = node === schema ? undefined : names.get(node);
    return name === undefined ? withDefaultInWords(tagged(node, names)) : referenceTo(name);
  });

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Generators of clients take a property with a `default` for one that is always there, and ask for it in requests.
 * (What has a `type` is a schema; an object of properties may have one called `default`.)
 */
function withDefaultInWords(node: Node): Node {
  const { default: value, description, ...rest } = node;
  if (value === undefined || typeof node.type !== 'string') return node;
  const words = `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
  return { ...rest, description: typeof description === 'string' ? `${description} ${words}` : words };
}

/**
 * Turns a union on a literal into the form validators can jump through: they look the tag up, so that a mistake is
 * reported for the variant that was meant and an unknown tag names the known ones. Generators find the variant of a tag
 * in the `mapping`, which only named variants have.
 */
function tagged(node: Node, names: ReadonlyMap<object, string> = new Map()): Node {
  const { anyOf, discriminator, ...rest } = node;
  const tag = isNode(discriminator) ? discriminator.propertyName : undefined;
  if (!Array.isArray(anyOf) || typeof tag !== 'string') return node;
  const variants = anyOf.filter(isNode).map((variant) => ({
    value: tagValue(variant, tag),
    name: names.get(variant),
  }));
  const named = variants.flatMap(({ value, name }): [string, string][] =>
    name === undefined ? [] : [[value, referenceTo(name).$ref]],
  );
  return {
    ...rest,
    type: 'object',
    discriminator: { propertyName: tag, ...(named.length > 0 && { mapping: Object.fromEntries(named) }) },
    required: [tag],
    properties: { [tag]: { type: 'string', enum: variants.map(({ value }) => value) } },
    oneOf: anyOf,
  };
}

function tagValue({ properties }: Node, tag: string): string {
  const property = isNode(properties) ? properties[tag] : undefined;
  if (!isNode(property) || typeof property.const !== 'string')
    throw new Error(`A variant without its ${tag}.`);
  return property.const;
}
