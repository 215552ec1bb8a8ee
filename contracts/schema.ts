import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox';

export { Type, type Static, type TObject, type TOptional, type TSchema };

/** A closed set of strings: `enum` in the schema, a union of literals in TypeScript. */
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** ISO 8601 in UTC with milliseconds, the only format of times in bodies and events. */
export const Timestamp = Type.String({ format: 'date-time' });

/**
 * A closed object: additional properties are refused. Events, the fleet protocol and replies are closed; request bodies are open
 * at the top level (see the contract's Versioning, 5).
 */
export const closed = <P extends Parameters<typeof Type.Object>[0]>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** A number of things. */
export const Count = Type.Integer({ minimum: 0 });

/** In the smallest unit of a currency: digits, because it may exceed the range of a number. */
export const Units = Type.String({ pattern: '^\\d+$' });

/** In CSS pixels. */
export const Coordinate = Type.Number({ minimum: -100_000, maximum: 100_000 });

/** A closed object of a union, tagged by `kind`. */
export const ofKind = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(
  kind: K,
  properties: P,
) => closed({ kind: Type.Literal(kind), ...properties });

/** One of several closed objects, tagged by this property. */
export const taggedUnion = <V extends Readonly<Record<string, TSchema>>>(propertyName: string, variants: V) =>
  Type.Unsafe<Static<V[keyof V]>>(Type.Union(Object.values(variants), { discriminator: { propertyName } }));

/** A page of a list: `next_cursor` requests the next page; it is empty on the last one. */
export const page = (item: TSchema, beside: Readonly<Record<string, TSchema>> = {}) =>
  closed({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.String(), ...beside });

/** The fields of an object, in the order of its schema. */
export const fieldNames = <S extends TObject>({ properties }: S): (keyof S['properties'] & string)[] =>
  Object.keys(properties);

/** A request body: open at the top level, where undeclared fields are ignored and listed in a reply header. */
export const requestBody = <P extends Parameters<typeof Type.Object>[0]>(
  properties: P,
  options: object = {},
) => Type.Object(properties, { additionalProperties: true, ...options });
