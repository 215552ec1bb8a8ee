import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { pointer, type FieldError } from '../../contracts/field-errors.ts';
import { jsonSchema, type Json, type JsonObject } from '../../contracts/openapi/json-schema.ts';
import { requestParameters } from '../../contracts/openapi/parameters.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { idFormOf } from '../../contracts/ids.ts';
import { textForms } from '../../contracts/text-forms.ts';
import { trustedSchemaOptions } from '../platform/trusted-schema-options.ts';

export interface Input {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Maximum number of reported failures. */
const maxErrors = 20;
/** Maximum values in a body for which all failures are searched: each costs about as much as reading a value. */
const maxValuesSearched = 1000;

/** Explains why a request is invalid: each invalid field once, with its rule. */
export type Explain = (input: Input) => readonly FieldError[];

/**
 * Validates a refused request again, because the validator reports only the first failure, in its own words. Compiled on first
 * use. For a large body only the first failure is searched, because the sender controls their number.
 */
export function explainer(route: Route): Explain {
  const compiled = new Map<boolean, Find>();
  return (input) => {
    const all = isSmall(input.body);
    const find = compiled.get(all) ?? failuresOf(route, all);
    compiled.set(all, find);
    const errors = find(input).filter(({ keyword }) => keyword !== 'discriminator');
    const byPath = new Map(errors.reverse().map((error) => [pathOf(error), error]));
    return [...byPath]
      .reverse()
      .slice(0, maxErrors)
      .map(([path, { keyword, params }]) => ({ path, code: keyword, message: ruleOf(keyword, params) }));
  };
}

type Find = (input: Input) => ErrorObject[];

/** The validator's rules, with details of each error. Query parameters are text and become numbers. */
function failuresOf(route: Route, allErrors: boolean): Find {
  const options = {
    ...trustedSchemaOptions,
    discriminator: true,
    formats: fullFormats,
    allErrors,
  };
  const parameters = requestParameters(route, jsonSchema);
  const inPlace = (place: string, lower = false) => {
    const nameOf = ({ name }: { readonly name: string }) => (lower ? name.toLowerCase() : name);
    const there = parameters.filter((parameter) => parameter.in === place);
    return {
      ...partOf(Object.fromEntries(there.map((parameter) => [nameOf(parameter), parameter.schema]))),
      required: there.filter(({ required }) => required === true).map(nameOf),
    };
  };
  const body = route.body === undefined ? {} : withNullInTypes(jsonSchema(route.body));
  const checks = [
    new Ajv2020({ ...options, coerceTypes: true }).compile(
      partOf({ query: inPlace('query'), headers: inPlace('header', true) }),
    ),
    new Ajv2020(options).compile(partOf({ body })),
  ];
  return ({ query, headers, body }) =>
    checks.flatMap((check) => errorsOf(check, { query: { ...query }, headers, body }));
}

const partOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const errorsOf = (check: ValidateFunction, input: object): ErrorObject[] =>
  check(input) ? [] : [...(check.errors ?? [])];

/** Merges `string or null` into one type, because two schemas would report two failures. */
function withNullInTypes(node: Json): JsonObject {
  const plain = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
    const { anyOf, ...rest } = copy;
    if (!Array.isArray(anyOf) || anyOf.length !== 2) return copy;
    const [schema, other] = anyOf;
    return isObject(schema) && isObject(other) && other.type === 'null' && typeof schema.type === 'string'
      ? { ...rest, ...schema, type: [schema.type, 'null'] }
      : copy;
  };
  const result = plain(node);
  return isObject(result) ? result : {};
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function pathOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Params;
  const inside = missingProperty ?? additionalProperty;
  return inside === undefined ? instancePath : `${instancePath}/${pointer(inside)}`;
}

/** The validator's parameters of a failure, by keyword. */
interface Params {
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
  readonly limit?: number;
  readonly type?: string | readonly string[];
  readonly allowedValues?: readonly unknown[];
  readonly allowedValue?: unknown;
  readonly format?: string;
  readonly pattern?: string;
}

const types: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};
const formats: Readonly<Record<string, string>> = {
  'date-time': 'a date and time with its offset, like 2026-01-31T09:30:00Z',
  uuid: 'a uuid',
};
const patterns: ReadonlyMap<string, string> = new Map(
  Object.values(textForms).map(({ pattern, rule }) => [pattern, rule]),
);
/** The rule behind a pattern, as text. */
export function ruleOfPattern(pattern: string): string {
  const id = idFormOf(pattern);
  if (id !== undefined) return `must be ${id === '<uuid>' ? 'a uuid' : id}`;
  return patterns.get(pattern) ?? `must match the pattern ${pattern}`;
}

const one = (name: string) => types[name] ?? name;
const atLeast = ({ limit = 1 }: Params, of: string) =>
  limit === 1 ? 'must not be empty' : `must have at least ${limit} ${of}`;

/** The rule as text, by keyword of JSON Schema. */
const rules: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field that is known here',
  type: ({ type = [] }) => `must be ${[type].flat().map(one).join(' or ')}`,
  enum: ({ allowedValues = [] }) => `must be one of ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: (params) => atLeast(params, 'characters'),
  maxLength: ({ limit }) => `must be at most ${limit} characters long`,
  minItems: (params) => atLeast(params, 'items'),
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  uniqueItems: () => 'must not contain an item twice',
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  format: ({ format = '' }) => `must be ${formats[format] ?? `a valid ${format}`}`,
  pattern: ({ pattern = '' }) => ruleOfPattern(pattern),
};

const ruleOf = (keyword: string, params: Params): string =>
  rules[keyword]?.(params) ?? 'does not have an accepted form';

const isSmall = (body: unknown): boolean => valuesLeft(body, maxValuesSearched) >= 0;

/** `limit` minus the number of values in a body; stops counting below zero. */
function valuesLeft(value: unknown, limit: number): number {
  let left = limit - 1;
  if (typeof value !== 'object' || value === null) return left;
  for (const inner of Object.values(value)) {
    if (left < 0) return left;
    left = valuesLeft(inner, left);
  }
  return left;
}
