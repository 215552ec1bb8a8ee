import type { TSchema } from '../schema.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
// An interface can be recursive; a record type cannot.
export interface JsonObject {
  [key: string]: Json;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy as plain JSON; `replace` is applied to each object before its members. */
const plain = (schema: TSchema, replace: (node: Node) => Node): JsonObject =>
  JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) => (isNode(value) ? replace(value) : value)),
  ) as JsonObject;

/** A schema as plain JSON Schema 2020-12, without references: what requests are validated by. */
export const jsonSchema = (schema: TSchema): JsonObject => plain(schema, tagged);

type Names = ReadonlyMap<unknown, string>;

/** A schema with references to named ones (`names`), so that a document contains each resource once. */
export function jsonSchemaWithRefs(schema: TSchema, names: Names): JsonObject {
  const name = nameOf(schema, names);
  return name === undefined ? expanded(schema, names) : referenceTo('schemas', name);
}

/** The same, but with the outermost schema inlined. */
export const expanded = (schema: TSchema, names: Names): JsonObject =>
  plain(schema, (node) => {
    const name = node === schema ? undefined : nameOf(node, names);
    return name === undefined ? withDefaultInWords(withMapping(node, names)) : referenceTo('schemas', name);
  });

const nameOf = (node: Node | TSchema, names: Names): string | undefined =>
  names.get(node) ?? ('anyOf' in node ? names.get(node.anyOf) : undefined);

type ComponentKind = 'headers' | 'parameters' | 'responses' | 'schemas';

/** A reference to a component of the document. */
export const referenceTo = (kind: ComponentKind, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/**
 * Moves a `default` into the description: client generators treat such a property as always present, and require it in requests.
 * (Only objects with a `type` are schemas; an object of properties may have a member `default`.)
 */
function withDefaultInWords(node: Node): Node {
  const { default: value, description, ...rest } = node;
  if (value === undefined || typeof node.type !== 'string') return node;
  const words = `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
  return { ...rest, description: typeof description === 'string' ? `${description} ${words}` : words };
}

/**
 * Turns a union on a literal into a form in which validators look the tag up, so that an error is reported for the intended
 * variant, and an unknown tag lists the known ones.
 */
function tagged(node: Node): Node {
  const variants = taggedVariants(node);
  if (variants.length === 0) return node;
  const { anyOf, discriminator, ...rest } = node;
  const { propertyName } = discriminator as Discriminator;
  return {
    ...rest,
    type: 'object',
    discriminator: { propertyName },
    required: [propertyName],
    properties: { [propertyName]: { type: 'string', enum: variants.map(({ value }) => value) } },
    oneOf: anyOf,
  };
}

/** Adds the `mapping` by which code generators find the variant of a tag. Throws if a variant has no name. */
function withMapping(node: Node, names: Names): Node {
  const variants = taggedVariants(node);
  if (variants.length === 0) return node;
  const { anyOf, discriminator, ...rest } = node;
  const mapping = variants.map(({ value, variant }) => {
    const name = nameOf(variant, names);
    if (name === undefined) throw new Error(`The variant ${value} of a union has no name.`);
    return [value, referenceTo('schemas', name).$ref] as const;
  });
  return {
    ...rest,
    discriminator: { ...(discriminator as Discriminator), mapping: Object.fromEntries(mapping) },
    oneOf: anyOf,
  };
}

interface Discriminator {
  readonly propertyName: string;
}

/** The variants of a tagged union with their tags; empty for any other schema. */
export function taggedVariants(node: object): readonly { readonly value: string; readonly variant: Node }[] {
  const { anyOf, discriminator } = node as Node;
  const tag = isNode(discriminator) ? discriminator.propertyName : undefined;
  if (!Array.isArray(anyOf) || typeof tag !== 'string') return [];
  return anyOf.filter(isNode).map((variant) => ({ value: tagValue(variant, tag), variant }));
}

function tagValue({ properties }: Node, tag: string): string {
  const property = isNode(properties) ? properties[tag] : undefined;
  if (!isNode(property) || typeof property.const !== 'string')
    throw new Error(`A variant without its ${tag}.`);
  return property.const;
}
