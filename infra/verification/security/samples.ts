import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../../contracts/openapi/json-schema.ts';

export interface SampleOptions {
  /** Resolves `#/components/schemas/<name>`. */
  readonly named: Readonly<Record<string, JsonObject>>;
  /** Values by property name that replace generated ones: existing pages, short waits. Always present. */
  readonly instead?: Readonly<Record<string, Arbitrary<Json>>>;
  /** Names of properties to leave out. */
  readonly without?: readonly string[];
}

/** Text that can be stored: any code points except U+0000. */
const text = (minLength = 0, maxLength = 40): Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength, maxLength })
    .map((value) => value.replaceAll('\0', '0'))
    .filter((value) => value.isWellFormed());

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => storable(value as Json));

/** Values of a JSON Schema in the dialect of our documents; throws on an unsupported type. */
export function valid(schema: JsonObject, options: SampleOptions): Arbitrary<Json> {
  const { $ref, anyOf, oneOf, const: only, enum: choices, type } = schema;
  if (typeof $ref === 'string') return valid(named($ref, options), options);
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) return fc.oneof(...variants.map((one) => valid(objectOf(one), options)));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(choices)) return fc.constantFrom(...choices);
  const ofType = type === undefined ? () => json : byType.get(typeof type === 'string' ? type : '');
  if (ofType === undefined) throw new Error(`There is no sample of ${JSON.stringify(schema)}.`);
  return ofType(schema, options);
}

const byType = new Map<string, typeof valid>([
  ['null', () => fc.constant(null)],
  ['boolean', () => fc.boolean()],
  ['string', stringOf],
  ['integer', (schema) => fc.integer(boundsOf(schema))],
  ['number', (schema) => fc.double({ ...boundsOf(schema), noNaN: true })],
  ['array', arrayOf],
  ['object', recordOf],
]);

const boundsOf = ({ minimum, maximum }: JsonObject) => ({
  min: numberOr(minimum, -1e6),
  max: numberOr(maximum, 1e6),
});

function stringOf({ format, pattern, minLength, maxLength }: JsonObject): Arbitrary<Json> {
  if (format === 'date-time') {
    const [min, max] = [new Date('2000-01-01'), new Date('2099-01-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  return text(numberOr(minLength, 0), numberOr(maxLength, 200));
}

function arrayOf({ items = {}, minItems, maxItems, uniqueItems }: JsonObject, options: SampleOptions) {
  const lengths = { minLength: numberOr(minItems, 0), maxLength: Math.min(numberOr(maxItems, 5), 20) };
  const item = valid(objectOf(items), options);
  return uniqueItems === true ? fc.uniqueArray(item, lengths) : fc.array(item, lengths);
}

function recordOf(
  { properties = {}, required = [], patternProperties }: JsonObject,
  options: SampleOptions,
): Arbitrary<Json> {
  if (patternProperties !== undefined) return dictionaryOf(objectOf(patternProperties), options);
  const { instead = {}, without = [] } = options;
  const wanted = Object.entries(objectOf(properties)).filter(([name]) => !without.includes(name));
  const fields = wanted.map(([name, schema]): [string, Arbitrary<Json>] => [
    name,
    instead[name] ?? valid(objectOf(schema), options),
  ]);
  const isRequired = (name: string) => (required as Json[]).includes(name) || name in instead;
  const requiredKeys = fields.map(([name]) => name).filter(isRequired);
  return fc.record(Object.fromEntries(fields), { requiredKeys });
}

/** Objects with any property names, or those that a pattern allows, and valid values. */
function dictionaryOf(patternProperties: JsonObject, options: SampleOptions): Arbitrary<Json> {
  const [[pattern, form] = ['', {}]] = Object.entries(patternProperties);
  const isAny = Object.keys(objectOf(form)).length === 0;
  const names = isAny ? text(1) : fc.stringMatching(new RegExp(pattern));
  const values = isAny ? json : valid(objectOf(form), options);
  return fc.dictionary(names, values, { maxKeys: 5 }).map((value) => storable(value as Json));
}

/** Values that an attacker may use instead. */
const hostile: Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, -1, 0.5, 1e308, '', '\0', '\ud800', 'x'.repeat(100_001), [], {}),
  fc.constant(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}') as Json),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }).map((value) => value as Json),
);

/** A valid value with one part replaced by something else, or something else altogether. */
export const broken = (schema: JsonObject, options: SampleOptions): Arbitrary<Json> =>
  fc.oneof(
    { weight: 1, arbitrary: hostile },
    {
      weight: 5,
      arbitrary: fc
        .tuple(valid(schema, options), fc.nat(), hostile)
        .map(([value, place, other]) =>
          replacedAt(value, place, other, new Set(Object.keys(options.instead ?? {}))),
        ),
    },
  );

function replacedAt(value: Json, place: number, other: Json, kept: ReadonlySet<string>): Json {
  const places = placesIn(value, kept);
  const path = places[place % places.length] ?? [];
  return put(value, path, other);
}

function placesIn(value: Json, kept: ReadonlySet<string>): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inside = Object.entries(value)
    .filter(([key]) => !kept.has(key))
    .flatMap(([key, item]) => placesIn(item, kept).map((path) => [key, ...path]));
  return [[], ...inside, ['undeclared']];
}

function put(value: Json, [key, ...rest]: readonly string[], other: Json): Json {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? put(item, rest, other) : item));
  const fields = objectOf(value);
  return { ...fields, [key]: put(fields[key] ?? null, rest, other) };
}

/** The value as parsed from JSON, without characters that no column can store. */
const storable = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '0')) as Json;

function named(reference: string, { named: schemas }: SampleOptions): JsonObject {
  const found = schemas[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`There is no ${reference}.`);
  return found;
}

const objectOf = (value: Json): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

const numberOr = (value: Json | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
