import type { Json, JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { namedSchemas } from './attacks.ts';

/** A place in a body where a client may write free text. */
export interface TextField {
  /** `action(tap).selector`, `files[].name`, `metadata.*`: the last one is an object with any keys and values. */
  readonly name: string;
  /** The smallest valid value of the whole schema that has this text there. */
  readonly plant: (text: string, around?: Around) => Json;
}

export interface Around {
  /** Constraints on the rest of the value: these fields, and of this kind. */
  readonly base?: Json;
  /** The value beside the text. */
  readonly beside?: JsonObject;
}

/** Formats that permit no free text. */
const closedForms = [
  /^\^e\[0-9\]\+\$$/,
  /^\^(acc_|tab_)?\[0-9a-f/,
  /^\^\(customer-\[0-9a-f/,
  /^\^\[0-9\]\{6\}\$$/,
  /^\^\[a-z0-9\]\{2,20\}\$$/,
];

/** Every text field of a JSON Schema in the dialect of our documents, of each variant if there are several. */
export function textFields(schema: JsonObject): readonly TextField[] {
  const resolved = resolve(schema);
  const { anyOf, oneOf, const: only, enum: choices, type, format, pattern } = resolved;
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) return variants.flatMap((one) => ofVariant(resolve(objectOf(one))));
  if (only !== undefined || choices !== undefined || format === 'date-time') return [];
  if (type === 'string') {
    const isClosed = typeof pattern === 'string' && closedForms.some((form) => form.test(pattern));
    return isClosed ? [] : [{ name: '', plant: (text) => text }];
  }
  if (type === 'array')
    return textFields(objectOf(resolved.items)).map(({ name, plant }) => ({
      name: `[]${name}`,
      plant: (text, { base, ...around } = {}) => [
        plant(text, { ...around, base: Array.isArray(base) ? (base[0] ?? null) : null }),
      ],
    }));
  if (resolved.patternProperties !== undefined) return ofNamed(objectOf(resolved.patternProperties));
  return type === undefined ? [ofAnything] : ofProperties(resolved);
}

const ofAnything: TextField = { name: '.*', plant: (text) => ({ [text]: { [text]: [text] } }) };

/** Text fields of an object with arbitrary names, or with names of a pattern; one name stands for all. */
function ofNamed(patternProperties: JsonObject): readonly TextField[] {
  const [form] = Object.values(patternProperties).map(objectOf);
  if (form === undefined || Object.keys(form).length === 0) return [ofAnything];
  return textFields(form).map(({ name, plant }) => ({
    name: `.*${name}`,
    plant: (text, { beside = {} } = {}) => ({ a: plant(text, { beside }) }),
  }));
}

function ofProperties(schema: JsonObject): readonly TextField[] {
  const least = leastObject(schema);
  return Object.entries(objectOf(schema.properties)).flatMap(([key, inner]) =>
    textFields(objectOf(inner)).map(({ name, plant }) => ({
      name: `.${key}${name}`,
      plant: (text: string, { base, beside = {} }: Around = {}): Json => {
        const around = { ...least, ...(isOfKind(base, schema) && base), ...(isLeaf(name) && beside) };
        return { ...around, [key]: plant(text, { base: around[key] ?? null, beside }) };
      },
    })),
  );
}

/** Whether a value equals what a schema fixes, in every such field that it has. */
const isOfKind = (value: Json | undefined, { properties }: JsonObject): value is JsonObject =>
  isObject(value) &&
  Object.entries(objectOf(properties)).every(([key, inner]) => {
    const { const: fixed } = objectOf(inner);
    return fixed === undefined || value[key] === undefined || value[key] === fixed;
  });

const isLeaf = (name: string) => name === '' || name === '[]';

/** Text fields of a variant, with its kind in their names, if it has one. */
function ofVariant(variant: JsonObject): readonly TextField[] {
  const kind = objectOf(objectOf(variant.properties).kind).const;
  return textFields(variant).map(({ name, plant }) => ({
    name: typeof kind === 'string' ? `(${kind})${name}` : name,
    plant,
  }));
}

/** The smallest valid value of a schema. */
function leastOf(schema: JsonObject): Json {
  const { anyOf, oneOf, const: only, enum: choices, type, minimum } = resolve(schema);
  const [variant] = (anyOf ?? oneOf ?? []) as Json[];
  if (variant !== undefined) return leastOf(objectOf(variant));
  const [choice = only] = (choices ?? []) as Json[];
  if (choice !== undefined) return choice;
  if (type === 'object') return leastObject(resolve(schema));
  const byType = new Map<Json | undefined, Json>([
    ...(['integer', 'number'] as const).map((each): [Json, Json] => [
      each,
      Math.max(Number(minimum ?? 0), 0),
    ]),
    ['boolean', false],
    ['array', []],
    ['string', 'a'],
  ]);
  return byType.get(type) ?? null;
}

const leastObject = ({ required = [], properties }: JsonObject): JsonObject =>
  Object.fromEntries(
    (required as string[]).map((key) => [key, leastOf(objectOf(objectOf(properties)[key]))]),
  );

const resolve = (schema: JsonObject): JsonObject =>
  typeof schema.$ref === 'string' ? (namedSchemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
