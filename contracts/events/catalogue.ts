import type { Static, TSchema } from '../schema.ts';

/** The events of one stream category: `<category>-<uuid>` streams hold these types and no other. */
export interface Category<
  Name extends string = string,
  Types extends Record<string, TSchema> = Record<string, TSchema>,
> {
  readonly name: Name;
  readonly types: Types;
  /** The version new events are written with, per type; 1 unless said otherwise. Older ones are upcast on read. */
  readonly versions: Partial<Record<keyof Types, number>>;
}

export const category = <Name extends string, Types extends Record<string, TSchema>>(
  name: Name,
  types: Types,
  versions: Partial<Record<keyof Types, number>> = {},
): Category<Name, Types> => ({ name, types, versions });

/** The union of a category's events, each `{ type, data }`. */
export type EventOf<C extends Category> = {
  [T in keyof C['types'] & string]: { readonly type: T; readonly data: Static<C['types'][T]> };
}[keyof C['types'] & string];

/** Any event as a rule sees it. */
export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}
