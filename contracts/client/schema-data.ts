/** A JSON Schema for `extract`. `x-selector` names the element, `x-attribute` the attribute to read. */
export interface ExtractSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly properties?: Readonly<Record<string, ExtractSchema>>;
  readonly items?: ExtractSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly 'x-selector'?: string;
  readonly 'x-attribute'?: string;
}

/** The type of an extraction by a schema; `unknown` unless the schema is a literal in the call. */
export type ExtractedBy<S> = string extends keyof S ? unknown : ExtractSchema extends S ? unknown : Top<S>;

/** If nothing is found, an object or a list is empty. */
type Top<S> = S extends
  | { readonly type: 'object' | 'array' }
  | { readonly properties: object }
  | { readonly items: object }
  ? DataOf<S>
  : DataOf<S> | null;

interface Scalars {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
}

type DataOf<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : S extends { readonly type: infer Type extends keyof Scalars }
    ? Scalars[Type]
    : S extends { readonly items: infer Items }
      ? DataOf<Items>[]
      : S extends { readonly properties: infer Properties }
        ? ObjectOf<Properties, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
        : S extends { readonly type: 'array' }
          ? string[]
          : S extends { readonly type: 'object' }
            ? Record<string, unknown>
            : string;

/** A property that is not found is left out; if it is required, the extraction fails instead. */
type ObjectOf<Properties, Required> = {
  -readonly [Name in keyof Properties as Name extends Required ? Name : never]: DataOf<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: DataOf<Properties[Name]>;
} extends infer Both
  ? { [Name in keyof Both]: Both[Name] }
  : never;
