import Compile from 'typebox/compile';
import type { Static, TSchema } from '../../contracts/schema.ts';

/** A compiled schema that checks whether an external value has its type. */
export interface Shape<T> {
  is(value: unknown): value is T;
}

export function shape<S extends TSchema>(schema: S): Shape<Static<S>> {
  const validator = Compile(schema);
  return { is: (value): value is Static<S> => validator.Check(value) };
}

type Part = 'input' | 'result';

/** The shapes of all operations' inputs or results. */
export const shapesOf = <P extends Part, S extends Readonly<Record<string, Readonly<Record<P, TSchema>>>>>(
  schemas: S,
  part: P,
) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shape(schema[part])])) as {
    readonly [Name in keyof S]: Shape<Static<S[Name][P]>>;
  };

export type ShapeOf<S> = S extends Shape<infer T> ? T : never;
