import { Ajv, type ValidateFunction } from 'ajv';
import { Type } from '../../contracts/schema.ts';
import { Intent, intents, longestPlan } from '../../contracts/resources/agent-turn.ts';
import { trustedSchemaOptions } from '../platform/trusted-schema-options.ts';

export const Intents = Type.Array(Intent, { minItems: 1, maxItems: longestPlan });

/** Compiled on first use, so that processes without plans do not pay for it. */
export function lazyValidator<T>(schema: object, options: object = {}): () => ValidateFunction<T> {
  let validate: ValidateFunction<T> | undefined;
  return () => (validate ??= new Ajv({ ...trustedSchemaOptions, ...options }).compile<T>(schema));
}

const byKind = new Map(Object.entries(intents).map(([kind, schema]) => [kind, lazyValidator(schema)]));

/** Validates an intent. Only kinds that occur are compiled. */
export const isIntent = (candidate: unknown): candidate is Intent => {
  const { kind } = (candidate ?? {}) as { readonly kind?: unknown };
  return byKind.get(String(kind))?.()(candidate) ?? false;
};
