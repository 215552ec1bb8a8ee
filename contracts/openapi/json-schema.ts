import type { TSchema } from '../schema.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
// An interface may refer to itself; a record type may not.
export interface JsonObject {
  [key: string]: Json;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema as plain JSON Schema 2020-12, without references. */
export function jsonSchema(schema: TSchema): JsonObject {
  const plain = tagged(JSON.parse(JSON.stringify(schema)) as Json);
  return isObject(plain) ? plain : {};
}

/** A named schema where one is declared (`names`), so that a document says each resource once. */
export function jsonSchemaWithRefs(schema: TSchema, names: ReadonlyMap<object, string>): JsonObject {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return expanded(schema, names);
}

/** The same, but the outermost schema is written out. */
export function expanded(schema: TSchema, names: ReadonlyMap<object, string>): JsonObject {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    const name = typeof value === 'object' && value !== null && value !== schema && names.get(value);
    return name ? { $ref: `#/components/schemas/${name}` } : value;
  });
  const plain = tagged(JSON.parse(text) as Json);
  return isObject(plain) ? plain : {};
}

/**
 * Turns a union on a literal into the form validators can jump through: they look the tag up, so that a mistake is
 * reported for the variant that was meant and an unknown tag names the known ones.
 */
function tagged(node: Json): Json {
  if (Array.isArray(node)) return node.map(tagged);
  if (!isObject(node)) return node;
  const copy: JsonObject = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, tagged(value)]),
  );
  const { anyOf, discriminator, ...rest } = copy;
  const tag = isObject(discriminator) ? discriminator.propertyName : undefined;
  if (!Array.isArray(anyOf) || typeof tag !== 'string') return copy;
  return {
    ...rest,
    type: 'object',
    discriminator: { propertyName: tag },
    required: [tag],
    properties: { [tag]: { type: 'string', enum: anyOf.flatMap((variant) => tagValue(variant, tag)) } },
    oneOf: anyOf,
  };
}

function tagValue(variant: Json, tag: string): Json[] {
  const property = isObject(variant) && isObject(variant.properties) ? variant.properties[tag] : undefined;
  return isObject(property) && property.const !== undefined ? [property.const] : [];
}
