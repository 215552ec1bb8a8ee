import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { pointer } from '../../contracts/field-errors.ts';
import { CpuLimitExceeded, withCpuLimit } from '../platform/cpu-limit.ts';

type Json = Readonly<Record<string, unknown>>;

/** The client's schema for a message's result. */
export interface ResultForm {
  readonly schema: Json;
  /** The errors of a result; null if it is valid. Never throws. */
  readonly faultOf: (result: unknown) => string | null;
}

/** A schema outside the allowed subset. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
  /** Position in the schema, as a JSON pointer. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}

/** Maximum bytes of a schema as JSON. */
const longestSchema = 16 * 1024;
/** Maximum nesting of schemas. */
const deepestSchema = 8;
/** Maximum nesting of values in a schema, and of unknown keywords. */
const deepestJson = 40;
/** Maximum characters of a result as JSON. */
const longestResult = 200_000;
/** CPU time limits, in milliseconds. */
const limits = { compile: 1000, check: 250 } as const;

/**
 * Compiles a client's JSON Schema (2020-12). Fetches nothing, and limits the work that it can cause.
 *
 * @throws SchemaRefused
 */
export function readResultForm(schema: Json): ResultForm {
  if (!['object', 'array'].includes(String(schema.type)))
    throw new SchemaRefused('/type', 'must be "object" or "array"');
  textOf(schema);
  assertSchema(schema, '', 1);
  const validate = compiled(schema);
  const faultOf = (result: unknown): string | null => faultIn(validate, result);
  const trial = schema.type === 'array' ? [] : {};
  if (faultOf(trial) === endless) throw new SchemaRefused('', 'must come to an end: it refers to itself');
  return { schema, faultOf };
}

/**
 * The schema as JSON.
 *
 * @throws SchemaRefused if it is too long or too deep
 */
export function textOf(schema: Json): string {
  assertShallow(schema, 1);
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) <= longestSchema) return text;
  throw new SchemaRefused('', `must be at most ${longestSchema} bytes long`);
}

function assertShallow(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepestJson) throw new SchemaRefused('', tooDeep);
  for (const inner of Object.values(value)) assertShallow(inner, depth + 1);
}

const tooDeep = `must be nested at most ${deepestSchema} schemas deep`;

/** How each keyword contains schemas. */
const holders: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  ...{ items: 'one', contains: 'one', additionalProperties: 'one', propertyNames: 'one', not: 'one' },
  ...{ if: 'one', then: 'one', else: 'one', unevaluatedItems: 'one', unevaluatedProperties: 'one' },
  ...{ allOf: 'list', anyOf: 'list', oneOf: 'list', prefixItems: 'list' },
  ...{
    properties: 'map',
    patternProperties: 'map',
    dependentSchemas: 'map',
    $defs: 'map',
    definitions: 'map',
  },
};
/** Keywords that change the meaning of `$ref`. */
const elsewhere = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

function assertSchema(schema: unknown, path: string, depth: number): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (depth > deepestSchema) throw new SchemaRefused(path, tooDeep);
  assertKeywords(schema as Json, path);
  for (const [keyword, value] of Object.entries(schema)) {
    const held = Object.hasOwn(holders, keyword) ? holders[keyword] : undefined;
    const at = `${path}/${pointer(keyword)}`;
    if (held === 'one') assertSchema(value, at, depth + 1);
    else if (held !== undefined && typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value as Json))
        assertSchema(inner, `${at}/${pointer(key)}`, depth + 1);
  }
}

function assertKeywords(schema: Json, path: string): void {
  const unknown = elsewhere.find((keyword) => Object.hasOwn(schema, keyword));
  if (unknown !== undefined)
    throw new SchemaRefused(`${path}/${unknown}`, 'is no keyword that is known here');
  const { $ref, format, pattern } = schema;
  if ($ref !== undefined && !(typeof $ref === 'string' && /^#(?:$|\/)/.test($ref)))
    throw new SchemaRefused(`${path}/$ref`, 'must begin with #: it may only refer within the schema itself');
  if (format !== undefined && !(typeof format === 'string' && Object.hasOwn(fullFormats, format)))
    throw new SchemaRefused(`${path}/format`, 'is no format that is known here');
  if (pattern !== undefined && !isPattern(pattern))
    throw new SchemaRefused(`${path}/pattern`, 'must be a regular expression');
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}

let meta: Ajv2020 | undefined;

/** Uses a separate instance, so that its memory is released; references are never inlined, however many there are. */
function compiled({ $schema: _, ...schema }: Json): ValidateFunction {
  meta ??= new Ajv2020({ strict: false, validateFormats: false });
  if (meta.validateSchema(schema) !== true) {
    const [first] = meta.errors ?? [];
    throw new SchemaRefused(
      first?.instancePath ?? '',
      `is no JSON Schema: ${first?.message ?? 'it is not valid'}`,
    );
  }
  const options = {
    strict: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    formats: fullFormats,
  };
  try {
    return withCpuLimit(limits.compile, () => new Ajv2020(options).compile(schema));
  } catch (error) {
    if (error instanceof CpuLimitExceeded) throw new SchemaRefused('', 'takes too long to read');
    throw new SchemaRefused('', 'cannot be read: does each $ref have something that it refers to?');
  }
}

const endless =
  'The result could not be checked: it goes too deep, or the form refers to itself without an end.';

function faultIn(validate: ValidateFunction, result: unknown): string | null {
  try {
    return withCpuLimit(limits.check, () => {
      if (JSON.stringify(result).length > longestResult) return 'The result is too long.';
      return validate(result) ? null : faultsOf(validate.errors ?? []);
    });
  } catch (error) {
    return error instanceof CpuLimitExceeded
      ? 'The result could not be checked in time: a pattern of the form takes too long.'
      : endless;
  }
}

/** Maximum characters of a result's errors. */
const longestFault = 1000;

const faultsOf = (errors: readonly ErrorObject[]): string =>
  [
    ...new Set(
      errors.map(({ instancePath, message = 'does not fit' }) => `${instancePath || '/'} ${message}`),
    ),
  ]
    .join('; ')
    .slice(0, longestFault);
