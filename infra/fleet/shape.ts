import Compile from 'typebox/compile';
import type { Static, TSchema } from '../../contracts/schema.ts';

/** A compiled schema that tells whether a value from outside is of its type. */
export interface Shape<T> {
  is(value: unknown): value is T;
}

export function shape<S extends TSchema>(schema: S): Shape<Static<S>> {
  const validator = Compile(schema);
  return { is: (value): value is Static<S> => validator.Check(value) };
}

export type ShapeOf<S> = S extends Shape<infer T> ? T : never;
